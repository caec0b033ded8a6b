import { describe, it } from 'vitest';
import { expectFilled, readRequests } from './functionCalls.fixture.ts';

const requests = `
triangle_area: Work out the area of a triangle whose base is 10 cm and whose height is 6 cm
  base number | Base of the triangle. | 10
  height number | Height of the triangle. | 6
  unit? string | Unit of length. |
cylinder_volume: Volume of a cylinder with a radius of 3.5 and height 12?
  radius number | Radius of the base. | 3.5
  height number | Height of the cylinder. | 12
sphere_surface: Give me the surface of a sphere of radius 4 meters
  radius number | Radius in meters. | 4
compound_interest: How much is $1,200 after 3 years at 6% interest compounded 12 times a year?
  principal number | Starting amount. | 1200
  rate number | Annual interest rate in percent. | 6
  years integer | Number of years. | 3
  times_per_year integer | How often interest is compounded each year. | 12
speed_average: I drove 180 miles in 3 hours. What was my average speed?
  distance number | Distance that was covered. | 180
  time number | Time it took. | 3
power: Raise 2 to the power of 10
  base number | The base. | 2
  exponent number | The exponent. | 10
modulo: What is the remainder of 45 divided by 7?
  dividend integer | Number that is divided. | 45
  divisor integer | Number to divide by. | 7
combinations: In how many ways can I choose 3 of 10 books?
  n integer | Number of things. | 10
  k integer | Number to choose. | 3
lcm: Find the least common multiple of 12 and 18
  numbers array:integer | The numbers. | [12,18]
std_dev: Standard deviation of the data 12, 15, 20, 22
  data array:number | Data points. | [12,15,20,22]
midpoint: Find the midpoint between (2, 3) and (8, 7)
  point1 array:number | First point. | [2,3]
  point2 array:number | Second point. | [8,7]
dot_product: Dot product of the vectors [1, 2, 3] and [4, 5, 6]
  a array:integer | First vector. | [1,2,3]
  b array:integer | Second vector. | [4,5,6]
convert_length: Convert 15 inches to centimeters
  value number | The value to convert. | 15
  from_unit string | Unit of the value. | "inches"
  to_unit string | Target unit. | "centimeters"
convert_temperature: What is 98 degrees Fahrenheit in Celsius?
  value number | Temperature. | 98
  from_unit string | Unit of the value. | "Fahrenheit"
  to_unit string | Unit of the result. | "Celsius"
exchange: How many pounds do I get for 300 US dollars?
  amount number | Amount to exchange. | 300
time_zone: What time is it in Sydney?
  city string | The city. | "Sydney"
sunrise: When does the sun rise in Reykjavik on 2025-12-21?
  location string | Place. | "Reykjavik"
  date string | Day, YYYY-MM-DD. | "2025-12-21"
days_between: How many days are there between 2024-01-15 and 2024-03-01?
  start_date string | First day. | "2024-01-15"
  end_date string | Last day. | "2024-03-01"
flights: Show flights from Madrid to Lisbon on June 3, 2026 and back on June 10, 2026
  from string | City of departure. | "Madrid"
  to string | City of arrival. | "Lisbon"
  departure_date string | Day of departure, YYYY-MM-DD. | "2026-06-03"
  return_date? string | Day of return, YYYY-MM-DD. | "2026-06-10"
rent_car: Rent a compact car in Denver from 2025-07-01 to 2025-07-08
  location string | City. | "Denver"
  car_type string=compact|suv|luxury | Type of car. | "compact"
  pickup_date string | First day. | "2025-07-01"
  dropoff_date string | Last day. | "2025-07-08"
hotel_search: Find a hotel in Paris for 2 adults and 1 child under 200 euros per night
  city string | City. | "Paris"
  adults integer | Number of adults. | 2
  children integer | Number of children. | 1
  max_price? number | Highest price of a night. | 200
quote_search: Who said "I think, therefore I am"?
  quote string | The quotation. | "I think, therefore I am"
lyrics: Get the lyrics of the song "Yesterday" by the Beatles
  title string | Title of the song. | "Yesterday"
  artist string | Artist. | "Beatles"
book_search: Search books about gardening written by Monty Don
  topic string | Subject of the book. | "gardening"
  author? string | Author. | "Monty Don"
movie_year: Which movies with Tom Hanks came out in 1994?
  actor string | Name of the actor. | "Tom Hanks"
  year integer | Year of release. | 1994
molecule: What is the molecular weight of glucose?
  compound string | Name of the compound. | "glucose"
element: Tell me the atomic number of carbon
  element string | Chemical element. | "carbon"
planet: How far is Mars from the Sun?
  planet string | The planet. | "Mars"
president: Who was the president of the United States in 1963?
  country string | Country. | "United States"
  year integer | Year. | 1963
battle: When was the Battle of Waterloo and who won?
  battle string | Name of the battle. | "Battle of Waterloo"
capital: What's the capital of Kenya?
  country string | Country. | "Kenya"
gdp: GDP of Brazil in 2020 in US dollars
  country string | The country. | "Brazil"
  year integer | The year. | 2020
stock_history: Get the price of the stock AAPL from 2023-01-01 to 2023-06-30
  symbol string | Ticker symbol. | "AAPL"
  start_date string | First day. | "2023-01-01"
  end_date string | Last day. | "2023-06-30"
nutrition: How much protein is in 150 grams of chicken breast?
  food string | The food. | "chicken breast"
  nutrient string=protein|fat|carbohydrates | Nutrient. | "protein"
  grams integer | Amount in grams. | 150
workout: Plan a 45 minute workout for beginners that trains the legs
  duration integer | Length in minutes. | 45
  level string=beginner|intermediate|advanced | Level. | "beginner"
  body_part string | Part of the body. | "legs"
recipe: Give me a recipe for chocolate cake for 8 people
  dish string | The dish. | "chocolate cake"
  servings integer | Number of people. | 8
grocery: Add two loaves of bread to the shopping list
  item string | What to buy. | "bread"
  quantity integer | How many. | 2
email: Send an email to anna@example.org with the subject "Lunch" and the text "At noon?"
  to string | Address of the recipient. | "anna@example.org"
  subject string | Subject line. | "Lunch"
  body string | Text of the message. | "At noon?"
reminder: Remind me to water the plants at 18:30
  text string | What to remind of. | "water the plants"
  time string | Time of day, HH:MM. | "18:30"
alarm: Set an alarm for 6:45 am
  time string | Time, HH:MM. | "06:45"
timer: Start a timer for 25 minutes
  minutes integer | Length in minutes. | 25
lights: Dim the lights in the kitchen to 40%
  room string | The room. | "kitchen"
  brightness integer | Brightness in percent. | 40
device: Turn off the lamp in the hallway
  device string | Device. | "lamp"
  state string=on|off | New state. | "off"
volume: Set the volume to 7
  level integer | New level. | 7
sentiment: Analyze the sentiment of the sentence "What a lovely day"
  text string | Text to analyze. | "What a lovely day"
summarize: Summarize the article at https://example.org/news in 3 sentences
  url string | Address of the article. | "https://example.org/news"
  sentences integer | Number of sentences. | 3
regex: Find all matches of the pattern "[a-z]+" in the file notes.txt
  pattern string | Pattern. | "[a-z]+"
  path string | File to search. | "notes.txt"
palindrome: Check if the word "level" is a palindrome
  word string | The word. | "level"
lawsuit: Find the lawsuit between Acme Corp and Globex filed in Texas in 2019
  party1 string | One party. | "Acme Corp"
  party2 string | The other party. | "Globex"
  state string | US state. | "Texas"
  year integer | Year of filing. | 2019
player: What is LeBron James's scoring average in the 2015 season?
  player string | Name of the player. | "LeBron James"
  season integer | Year of the season. | 2015
team_ranking: What is the rank of Arsenal in the Premier League?
  team string | Name of the team. | "Arsenal"
  league string | Name of the league. | "Premier League"
chess: What is the best reply to the opening e4?
  opening string | First move. | "e4"
board_game: Roll a 20-sided die 3 times
  sides integer | Sides of the die. | 20
  rolls integer | How often it is rolled. | 3
cards: Deal 5 cards to each of 4 players
  cards integer | Cards for each player. | 5
  players integer | Number of players. | 4
dna_translate: Translate the DNA sequence "ATGGCC" into protein
  sequence string | The sequence. | "ATGGCC"
tree: Estimate the age of an oak tree with a diameter of 80 centimeters
  species string | Species of the tree. | "oak"
  diameter number | Diameter in centimeters. | 80
force: What force acts on a mass of 5 kg with an acceleration of 3 m/s^2?
  mass number | Mass in kg. | 5
  acceleration number | Acceleration in m/s^2. | 3
free_fall: How long does a ball dropped from 45 meters take to hit the ground?
  height number | Height in meters. | 45
electric: Calculate the current of a circuit with 12 volts and 4 ohms
  voltage number | Voltage in volts. | 12
  resistance number | Resistance in ohms. | 4
density: Density of an object with mass 20 kg and volume 4 m^3
  mass number | Mass in kg. | 20
  volume number | Volume in cubic meters. | 4
painting_price: For how much was the painting "Sunflowers" by van Gogh sold?
  painting string | Name of the painting. | "Sunflowers"
  artist string | Name of the artist. | "van Gogh"
concert: Book 2 tickets for the concert of Coldplay in Berlin on 2026-08-14
  artist string | Artist. | "Coldplay"
  city string | City. | "Berlin"
  date string | Day, YYYY-MM-DD. | "2026-08-14"
  tickets integer | Number of tickets. | 2
job: Find jobs as a data engineer in Munich with a salary above 70,000
  position string | What to work as. | "data engineer"
  location string | City. | "Munich"
  min_salary? integer | Lowest salary. | 70000
sort_words: Sort the words "pear", "apple", "fig" alphabetically
  words array:string | Words to sort. | ["pear","apple","fig"]
average_temp: Average temperature of Oslo, Bergen and Trondheim
  cities array:string | The cities. | ["Oslo","Bergen","Trondheim"]
rainfall: How much did it rain in Seattle over the last 10 days in millimeters?
  city string | City. | "Seattle"
  days integer | Number of days. | 10
pace: What pace do I need to run 10 kilometers in 50 minutes?
  distance number | Distance in kilometers. | 10
  minutes number | Time in minutes. | 50
fuel: How much fuel does a trip of 420 km need at 6.5 liters per 100 km?
  distance number | Distance in km. | 420
  consumption number | Liters per 100 km. | 6.5
discount: What does a jacket of 80 euros cost with a discount of 25%?
  price number | Price in euros. | 80
  discount number | Discount in percent. | 25
annuity: Present value of 10 payments of $500 at an interest rate of 5%
  payment number | Amount of each payment. | 500
  rate number | Interest rate as a decimal. | 0.05
  periods integer | Number of payments. | 10
rectangle: I have a garden of 8 by 12 meters. What is its area?
  length number | One side in meters. | 8
  width number | The other side in meters. | 12
slope: Slope of the line through the points (1, 2) and (4, 8)
  x1 number | x of the first point. | 1
  y1 number | y of the first point. | 2
  x2 number | x of the second point. | 4
  y2 number | y of the second point. | 8
range: List the prime numbers between 20 and 60
  start integer | Lower end of the range. | 20
  end integer | Upper end of the range. | 60
round: Round 3.14159 to 2 decimal places
  value number | Number to round. | 3.14159
  decimals integer | Number of decimal places. | 2
fibonacci: Give me the first 15 Fibonacci numbers
  count integer | How many numbers. | 15
base_convert: Convert 255 to base 16
  number integer | Number to convert. | 255
  base integer | Target base. | 16
logarithm: Logarithm of 1000 with base 10
  value number | The number. | 1000
  base number | Base of the logarithm. | 10
weather_report: Will it rain tomorrow in Hamburg, Germany?
  location string | City and country. | "Hamburg, Germany"
  day? string | Day of the forecast, such as 'today', 'tomorrow'. | "tomorrow"
traffic: How is the traffic on the way from Boston to Providence at 8 am?
  origin string | Start. | "Boston"
  destination string | End. | "Providence"
  time? string | Time of day, HH:MM. | "08:00"
museum_tickets: Buy 3 tickets for the Prado Museum for June 2, 2026
  museum string | Name of the museum. | "Prado Museum"
  tickets integer | Number of tickets. | 3
  date string | Day, YYYY-MM-DD. | "2026-06-02"
appointment: Book an appointment with Dr. Meier on 2026-02-11 at 15:00
  doctor string | Name of the doctor. | "Dr. Meier"
  date string | Day. | "2026-02-11"
  time string | Time, HH:MM. | "15:00"
restaurant: Reserve a table at Chez Louis for six people
  restaurant string | Name of the restaurant. | "Chez Louis"
  guests integer | Number of people. | 6
shipping_cost: What does it cost to ship a package of 2.5 kg from Vienna to Prague?
  weight number | Weight in kg. | 2.5
  origin string | City of the sender. | "Vienna"
  destination string | City of the recipient. | "Prague"
track: Track the order with the number 88123
  order_number integer | Number of the order. | 88123
ticket_close: Close ticket #431 as resolved
  ticket_id integer | Number of the ticket. | 431
  resolution string=resolved|rejected|duplicate | How it ended. | "resolved"
playlist: Create a playlist called Morning Run with 20 songs
  name string | Name of the playlist. | "Morning Run"
  size integer | Number of songs. | 20
notes: Play the chord C major on the piano
  instrument string | The instrument. | "piano"
exhibition: Which exhibitions about impressionism are in London in March 2026?
  topic string | Subject. | "impressionism"
  city string | City. | "London"
sculpture: Who made the sculpture The Thinker and when?
  sculpture string | Name of the sculpture. | "The Thinker"
photo: Resize photo.jpg to 800 by 600 pixels
  path string | The picture. | "photo.jpg"
  width integer | New width in pixels. | 800
  height integer | New height in pixels. | 600
zip: Compress the folder /home/me/data
  path string | Folder to compress. | "/home/me/data"
user_create: Create a user named "Jo Frey" with the email jo@example.com and the role admin
  name string | Name of the user. | "Jo Frey"
  email string | Address. | "jo@example.com"
  role string=admin|editor|viewer | Role. | "admin"
vote: How many people voted for the green party in Bavaria in 2018?
  party string | Name of the party. | "green"
  state string | State. | "Bavaria"
  year integer | Year of the election. | 2018
treaty: In which year was the Treaty of Versailles signed?
  treaty string | Name of the treaty. | "Treaty of Versailles"
inventor: Who invented the telephone?
  invention string | What was invented. | "telephone"
river: How long is the river Danube?
  river string | Name of the river. | "Danube"
mountain: What is the height of Mount Kenya?
  mountain string | Name of the mountain. | "Mount Kenya"
distance_stars: Distance between the Earth and Neptune in kilometers
  body1 string | One body. | "Earth"
  body2 string | The other one. | "Neptune"
  unit? string | Unit: 'kilometers', 'miles'. | "kilometers"
drug: What are the side effects of ibuprofen?
  drug string | Name of the drug. | "ibuprofen"
lottery: Draw 6 numbers from 1 to 49
  count integer | How many numbers. | 6
  min integer | Lowest number. | 1
  max integer | Highest number. | 49
schedule: Schedule a meeting with the team for 2026-04-03 from 10:00 to 11:30
  date string | Day. | "2026-04-03"
  start_time string | Begin, HH:MM. | "10:00"
  end_time string | End, HH:MM. | "11:30"
language_detect: Which language is the text "Guten Morgen"?
  text string | The text. | "Guten Morgen"
spell: Correct the spelling of "definately"
  word string | The word. | "definately"
`;

describe('everyday requests with units, dates, lists and names', () => {
  it.each(readRequests(requests))('fills $tool: $query', expectFilled);
});
