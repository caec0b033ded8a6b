import { describe, expect, it } from 'vitest';
import type { RankableTool } from './ranker.ts';
import { offlineRankers } from './rankers.ts';
import { isAmount, rankTerms } from './wordForms.ts';

/** Tools by the names that programs give them, most of them without a description. */
const names = `
  getDbSchema listDbTables dropDbIndex createRepo archiveRepo listOrgMembers sendMsg deleteMsg
  cropImg listDirContents setEnvVar readCfg updateUserPrefs calcTax calc_distance_km
  calc_weight_kg convert_km_to_miles md2html html2pdf csv2json listEC2Instances stopEC2Instance
  order_cancel order_create order_track user_remove user_approve payment_refund invoice_pay
  package_ship subscription_renew ticket_assign device_register image_classify text_compare
  app_deploy getHTTPStatus parseXMLFile checkIPAddress listPkgVersions installPkg
  bookHotelRoom bookFlight getExchangeRate getStockPrice searchRecipes addCalendarEvent
  rename_file copy_file move_file acctBalance custOrders txnHistory authUser
  number_add number_subtract number_multiply number_divide
`
  .trim()
  .split(/\s+/u);
const tools = names.map((name): RankableTool => ({ server: 'app', name, description: '' }));

const requests = `
  Show the schema of the database: getDbSchema
  Which tables does the database have?: listDbTables
  Drop an index of the database: dropDbIndex
  Make a new repository: createRepo
  Put the repository into the archive: archiveRepo
  Who are the members of the organization?: listOrgMembers
  Send a message to Ann: sendMsg
  Delete that message: deleteMsg
  Crop the image to a square: cropImg
  List the contents of the directory: listDirContents
  Set the environment variable PATH: setEnvVar
  Read the configuration: readCfg
  Update the preferences of the user: updateUserPrefs
  Calculate the tax on 300 euros: calcTax
  Calculate a distance of 5km: calc_distance_km
  What distance is it in kilometers?: calc_distance_km
  Calculate the weight in kilograms: calc_weight_kg
  Convert 12km to miles: convert_km_to_miles
  How many miles are 40 kilometers?: convert_km_to_miles
  Turn the md file into html: md2html
  Make a pdf of the html page: html2pdf
  Get json from this csv: csv2json
  List my EC2 instances: listEC2Instances
  Stop the EC2 instance: stopEC2Instance
  Cancellation of my order: order_cancel
  Cancel order 77: order_cancel
  Creation of an order: order_create
  Track order 88: order_track
  Removal of a user: user_remove
  Approval of the new user: user_approve
  Refund the payment: payment_refund
  Payment of the invoice: invoice_pay
  Shipment of the package: package_ship
  Renewal of my subscription: subscription_renew
  Assign the ticket to Bob: ticket_assign
  Registration of a device: device_register
  Classification of an image: image_classify
  Comparison of two texts: text_compare
  Deployment of the app: app_deploy
  Which HTTP status does it have?: getHTTPStatus
  Parse the XML file: parseXMLFile
  Check an IP address: checkIPAddress
  Which versions of the package are there?: listPkgVersions
  Install the package left-pad: installPkg
  Book a room in a hotel: bookHotelRoom
  A flight to book for Monday: bookFlight
  What is the exchange rate of 20EUR?: getExchangeRate
  Price of the stock: getStockPrice
  Recipes to search for: searchRecipes
  Add an event to the calendar: addCalendarEvent
  Rename the file: rename_file
  Copy a file: copy_file
  Move the file: move_file
  Balance of my account: acctBalance
  Orders of the customer: custOrders
  History of transactions: txnHistory
  Addition of a number to another number: number_add
  Subtraction of a number: number_subtract
  Multiplication of a number by another: number_multiply
  Division of a number by 4: number_divide
`
  .trim()
  .split('\n')
  .map((line) => {
    const at = line.lastIndexOf(': ');
    return { query: line.slice(0, at).trim(), name: line.slice(at + 2) };
  });

function firsts(id: string): (string | undefined)[] {
  const index = offlineRankers.get(id)?.index(tools);
  return requests.map(({ query }) => tools[index?.top(query, 1)[0]?.toolIndex ?? -1]?.name);
}

describe('the default retriever on names that programs give', () => {
  const found = firsts('default');
  it.each(requests.map((request, at) => ({ ...request, first: found[at] })))(
    'puts $name first for “$query”',
    ({ name, first }) => {
      expect(first).toBe(name);
    },
  );

  it('is not worse there than bm25 anywhere, and better by a tenth', () => {
    const right = firsts('bm25').filter((name, at) => name === requests[at]?.name).length;
    expect(right).toBeLessThanOrEqual(requests.length * 0.9);
  });
});

describe('the forms of a word', () => {
  it.each([
    ['getDBInfo', ['get', 'database', 'information']],
    ['md2html', ['md', 'html']],
    ['listEC2instances', ['list', 'ec2', 'instances']],
    ['oauth2 utf8 s3 k8s', ['oauth2', 'utf8', 's3', 'k8s']],
  ])('of %s are %j', (text, words) => {
    expect(rankTerms(text).map(({ word }) => word)).toEqual(words);
  });

  it('tells amounts from names with a digit', () => {
    expect(['5', '5km', '20eur', 's3', 'h264', '3d'].map(isAmount)).toEqual([
      ...[true, true, true],
      ...[false, false, true],
    ]);
  });
});
