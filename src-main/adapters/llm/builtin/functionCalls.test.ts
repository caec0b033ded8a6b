import { describe, it } from 'vitest';
import { expectFilled, readRequests } from './functionCalls.fixture.ts';

const requests = `
rectangle_perimeter: What is the perimeter of a rectangle that is 12m long and 7m wide?
  length number | Length of the rectangle in meters. | 12
  width number | Width of the rectangle in meters. | 7
fall_speed: How fast is a stone after falling for 4 seconds from a height of 100 meters?
  height integer | Height in meters. | 100
  time integer | Time of the fall in seconds. | 4
loan_payment: Compute the monthly payment for a loan of $24,000 at 4.5% over 6 years
  years integer | Duration in years. | 6
  principal integer | The amount of the loan in dollars. | 24000
  rate number | Annual interest rate as a decimal, e.g. 0.04. | 0.045
weather_forecast: What will the weather be like in Lisbon over the next 5 days?
  city string | Name of the city. | "Lisbon"
  days integer | Number of days. | 5
weather_now: What's the temperature in Cape Town in celsius?
  location string | The city to look up. | "Cape Town"
  unit? string | Unit of the temperature: 'celsius' or 'fahrenheit'. Default is 'fahrenheit'. | "celsius"
find_route: Find the fastest route from Berlin to Hamburg by train
  start string | Where the trip begins. | "Berlin"
  end string | Where the trip ends. | "Hamburg"
  mode? string=car|train|bike | Means of transport. | "train"
book_flight: Book me a flight from Oslo to Rome on 3 May 2026
  origin string | City of departure. | "Oslo"
  destination string | City of arrival. | "Rome"
  date string | Date of the flight, in the format YYYY-MM-DD. | "2026-05-03"
distance: How far is it from New York to Los Angeles in kilometers?
  from_city string | First city. | "New York"
  to_city string | Second city. | "Los Angeles"
  unit? string | Unit of length (kilometers, miles). | "kilometers"
quadratic_roots: Find the roots of the quadratic equation with a = 1, b = -3 and c = 2
  a integer | Coefficient of x². | 1
  b integer | Coefficient of x. | -3
  c integer | Constant. | 2
mean: Calculate the mean of 4, 8, 15, 16, 23 and 42
  numbers array:integer | The numbers. | [4,8,15,16,23,42]
correlation: Get the correlation between [1, 2, 3] and [2, 4, 7]
  x array:integer | First series. | [1,2,3]
  y array:integer | Second series. | [2,4,7]
sort_list: Sort the list [9, 3, 7] in descending order
  values array:integer | Values to sort. | [9,3,7]
  order string | Order, either 'ascending' or 'descending'. | "descending"
book_author: Who wrote the novel "Middlemarch"?
  title string | Title of the book. | "Middlemarch"
books_by: List the novels written by Virginia Woolf
  author string | Name of the author. | "Virginia Woolf"
species_info: Tell me about the diet of the red panda
  species string | Name of the animal. | "red panda"
recipe_search: Find a vegan recipe for lentil soup
  dish string | Name of the dish. | "lentil soup"
  diet? string | Diet such as 'vegan', 'vegetarian'. | "vegan"
population: What was the population of Canada in 2015?
  country string | Name of the country. | "Canada"
  year integer | The year. | 2015
translate: Translate "good evening" from English to Japanese
  text string | Text to translate. | "good evening"
  source_language string | Language of the text. | "English"
  target_language string | Language to translate into. | "Japanese"
convert_currency: Convert 250 euros to yen
  amount number | Amount of money. | 250
  from_currency string | Currency to convert from. | "euros"
  to_currency string | Currency to convert to. | "yen"
restaurant_search: Find Thai restaurants near Union Square, San Francisco with a rating of at least 4
  cuisine string | Kind of food. | "Thai"
  location string | Where to search. | "Union Square, San Francisco"
  rating? number | Lowest rating. | 4
hotel_booking: Reserve a double room at the Grand Plaza in Vienna for 3 nights
  hotel string | Name of the hotel. | "Grand Plaza"
  city string | City of the hotel. | "Vienna"
  nights integer | Number of nights. | 3
  room string=single|double|suite | Room type. | "double"
stock_price: What is the price of Apple stock?
  company string | Name of the company. | "Apple"
movie_details: Give me the details of the movie Casablanca
  name string | Title of the movie. | "Casablanca"
bmi: What is the BMI of a person who weighs 82 kg and is 1.8 m tall?
  height number | Height in m. | 1.8
  weight number | Weight in kg. | 82
factorial: Calculate the factorial of 7
  n integer | The number. | 7
prime_check: Is 97 a prime number?
  number integer | Number to check. | 97
random_int: Give me a random number between 10 and 50
  min integer | Lower bound. | 10
  max integer | Upper bound. | 50
dice: Roll 4 dice with 12 sides
  sides integer | Sides of a die. | 12
  count integer | How many dice. | 4
court_cases: Find cases about patent infringement in California from 2012
  topic string | Subject of the case. | "patent infringement"
  state string | US state. | "California"
  year integer | Year it was filed. | 2012
gas_pressure: Compute the pressure of 2 moles of gas at 300K in a volume of 10L
  moles number | Amount in moles. | 2
  temperature number | Temperature in Kelvin. | 300
  volume number | Volume in liters. | 10
kinetic_energy: A car of mass 1200kg drives at 20m/s. What is its kinetic energy?
  mass number | Mass in kg. | 1200
  velocity number | Speed in m/s. | 20
team_score: What was the score of the last game of the Chicago Bulls?
  team string | Name of the team. | "Chicago Bulls"
player_stats: Show the statistics of Dirk Nowitzki for the Dallas Mavericks in 2011
  player string | Name of the player. | "Dirk Nowitzki"
  team string | Name of the team. | "Dallas Mavericks"
  season integer | Year of the season. | 2011
event_search: Find concerts in Austin, TX this weekend
  location string | City and state, e.g. Boston, MA. | "Austin, TX"
  date? string | When. | "this weekend"
shopping: Buy milk, eggs and bread from Greenmart
  items array:string | Things to buy. | ["milk","eggs","bread"]
  store string | Name of the shop. | "Greenmart"
compare_cities: Compare the cost of living in Madrid and Lisbon
  cities array:string | Cities to compare. | ["Madrid","Lisbon"]
plant_water: How often should I water a cactus in summer?
  plant string | Kind of plant. | "cactus"
  season string=spring|summer|autumn|winter | Season. | "summer"
paint: How much paint do I need for a wall that is 3 meters high and 5 meters wide with a coverage of 10 square meters per liter?
  height integer | Height of the wall. | 3
  width integer | Width of the wall. | 5
  coverage integer | Square meters per liter. | 10
dna: Find mutations in the sequence AGTCGATC
  sequence string | DNA sequence. | "AGTCGATC"
set_thermostat: Set the thermostat in the bedroom to 19 degrees
  room string | Room of the device. | "bedroom"
  temperature integer | Target temperature. | 19
play_song: Play the song Hey Jude by The Beatles
  song string | Title of the song. | "Hey Jude"
  artist string | Artist. | "The Beatles"
ticket: Create a ticket about the broken printer with high priority
  subject string | What it is about. | "broken printer"
  priority string=low|medium|high |  | "high"
museum: What are the opening hours of the Louvre in Paris on Monday?
  museum string | Name of the museum. | "Louvre"
  city string | City. | "Paris"
  day? string | Day of the week. | "Monday"
investment: What will $5000 be worth in 10 years at an annual return of 7%?
  present_value number | Amount invested. | 5000
  return_rate number | Yearly return in percent. | 7
  years integer | Number of years. | 10
integral: Integrate x^2 from 0 to 3
  function string | Function of x. | "x^2"
  lower number | Lower limit. | 0
  upper number | Upper limit. | 3
war: When did the Battle of Hastings take place?
  event string | Name of the event. | "Battle of Hastings"
chem: What is the boiling point of ethanol?
  substance string | The substance. | "ethanol"
news: Search for news about solar power from last week
  query string | What to search. | "solar power"
  period? string | Time span. | "last week"
include: List the files in the folder reports including hidden ones
  path string | Folder. | "reports"
  include_hidden? boolean | Whether hidden files are listed. | true
genes: Which proteins are encoded by the gene BRCA1?
  gene string | Symbol of the gene. | "BRCA1"
tip: What is a 15% tip on a bill of 80 dollars split by 4 people?
  bill number | Total of the bill. | 80
  tip_percent number | Tip in percent. | 15
  people integer | Number of people. | 4
election: Who won the presidential election in France in 2017?
  country string | The country. | "France"
  year integer | Year. | 2017
game_guide: How do I beat the final boss in Celeste on Switch?
  game string | Name of the video game. | "Celeste"
  platform? string | Platform, such as Switch, PC. | "Switch"
derivative: What is the derivative of 3x^2 + 2x - 1 at x = 4?
  function string | The function. | "3x^2 + 2x - 1"
  x? number | Where to evaluate it. | 4
sales_total: Sum the sales of January, February and March 2023
  months array:string | Months. | ["January","February","March"]
  year integer | Year. | 2023
route_stops: Plan a trip from Madrid to Paris with stops in Lyon and Dijon
  origin string | Start. | "Madrid"
  destination string | End. | "Paris"
  stops array:string | Cities on the way. | ["Lyon","Dijon"]
list_holidays: Which public holidays does Norway have in 2027?
  country string | The country. | "Norway"
  year integer | Year to look up. | 2027
crime_rate: How high was the crime rate in Detroit, Michigan in 2019 for robbery?
  city string | City. | "Detroit, Michigan"
  year integer | Year. | 2019
  type? string | Kind of crime, e.g. 'robbery', 'burglary'. | "robbery"
painting_info: Who painted the Mona Lisa?
  painting string | Name of the painting. | "Mona Lisa"
currency_rate: What is the exchange rate from USD to EUR?
  base string | Code of the currency to convert from. | "USD"
  target string | Code of the currency to convert to. | "EUR"
cell_function: What does the mitochondrion do in a plant cell?
  part string | Part of the cell. | "mitochondrion"
circle_area: Area of a circle with radius 7 inches
  radius number | The radius. | 7
  unit? string | Unit of the radius. |
ball_throw: A ball is thrown up at 30 m/s. Ignore air resistance, gravity is 9.81 m/s^2. How high does it get?
  initial_velocity number | Velocity at the start in m/s. | 30
  gravity? number | Acceleration in m/s^2. | 9.81
book_table: Book a table for 4 at Trattoria Roma at 7:30 pm on 2026-06-01
  restaurant string | Name of the restaurant. | "Trattoria Roma"
  people integer | Number of guests. | 4
  date string | Date, YYYY-MM-DD. | "2026-06-01"
  time string | Time, HH:MM. | "19:30"
gcd: Greatest common divisor of 84 and 36
  a integer | First number. | 84
  b integer | Second number. | 36
merge_lists: Merge the lists [1, 5] and [2, 8, 9]
  list1 array:integer | One list. | [1,5]
  list2 array:integer | Another list. | [2,8,9]
cooking_time: How long should I bake a 3 kg turkey at 180 degrees?
  weight number | Weight in kg. | 3
  food string | What is baked. | "turkey"
  temperature integer | Temperature of the oven. | 180
calorie_count: How many calories are in 2 cups of cooked rice?
  food string | The food. | "cooked rice"
  amount number | How much. | 2
  unit string | Measure, such as cups, grams. | "cups"
animal_speed: How fast can a cheetah run?
  animal string | The animal. | "cheetah"
law_info: Explain article 5 of the constitution of Germany
  article integer | Number of the article. | 5
  country string | The country. | "Germany"
password: Generate a password of 16 characters with symbols but without digits
  length integer | How many characters. | 16
  symbols boolean | Include symbols. | true
  digits boolean | Include digits. | false
probability: Probability of drawing 2 aces from a deck of 52 cards
  draws integer | Cards that are drawn. | 2
  deck_size integer | Cards in the deck. | 52
growth: If a population of 5000 grows by 3% a year, how large is it after 8 years?
  start integer | Initial population. | 5000
  rate number | Growth rate as a decimal. | 0.03
  years integer | Years to project. | 8
flight_status: Is flight LH 454 on time today?
  flight string | Flight number. | "LH 454"
poll: Who leads the polls in Ohio for the senate?
  state string | State. | "Ohio"
  office string | Office that is elected. | "senate"
histogram: Draw a histogram of [2, 3, 3, 5] with 4 bins
  data array:integer | Data points. | [2,3,3,5]
  bins integer | Number of bins. | 4
museum_search: Find art museums in Chicago that are open on Tuesday
  city string | City. | "Chicago"
  kind string | Type of museum ('art', 'science', 'history'). | "art"
  day? string | Day. | "Tuesday"
air_quality: How is the air quality in Delhi on 5th June 2024?
  location string | City. | "Delhi"
  date string | Date (DD-MM-YYYY). | "05-06-2024"
mortgage: What do I pay monthly for a 30-year mortgage of $350,000 with an interest of 3.2%?
  loan_amount integer | Amount borrowed. | 350000
  interest number | Interest in percent per year. | 3.2
  term integer | Length of the loan in years. | 30
`;

describe('requests to functions of many fields', () => {
  it.each(readRequests(requests))('fills $tool: $query', expectFilled);
});
