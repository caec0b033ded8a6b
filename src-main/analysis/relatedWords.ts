import { stem } from './tokenizer.ts';

/**
 * Words for the same operation or the same everyday thing, one group per line: general English, not
 * taken from any catalog. They connect what people say with what tools are called. A word may
 * belong to several groups.
 */
const groups = `
  list show display view see browse enumerate overview which
  read get fetch retrieve load show view open obtain give
  add create make insert register append attach put build
  delete remove erase drop discard clear purge destroy trash rid empty wipe uninstall
  update edit change modify rename alter revise adjust amend rewrite correct set replace
  complete finish done tick close resolve finalize finalise check over
  search find look lookup query locate seek discover where
  send post publish submit deliver notify tell announce write
  write save store record keep persist
  move relocate transfer rename shift put
  copy duplicate clone
  calculate compute evaluate determine estimate measure
  convert transform translate turn change render
  run execute launch start invoke perform begin trigger call
  stop cancel abort terminate end kill quit halt shut
  merge combine join concatenate unite union
  split divide separate unmerge
  compare diff difference versus contrast
  book reserve schedule plan
  buy purchase order pay
  folder directory
  file document attachment
  image picture photo screenshot drawing
  task todo chore
  email mail
  issue ticket bug defect problem
  history log past previous
  web internet online
  restore undo revert rollback recover back
  archive shelve stash away
  install deploy setup
  enable activate
  disable deactivate mute
  invite member people person team participant
  assign give allocate
  comment remark note reply feedback
  reply answer respond
  message text chat say said
  channel room
  label tag
  column list field
  row record line entry
  table sheet spreadsheet
  tab sheet page
  chart graph plot diagram draw
  number count many total amount
  average mean
  sum total
  price cost money expensive cheap fare
  cheap low lowest minimum
  maximum highest most top
  distance far length kilometer mile
  time duration long
  date day calendar
  today daily
  current now present
  recent last latest new newest
  next upcoming future tomorrow
  status state condition up
  health alive running working
  error failure fail crash exception broken wrong
  warning alert
  permission access allow right
  user account member person people profile
  who user author owner
  login signin authenticate connect
  logout signout disconnect
  password secret credential
  phone device mobile
  app application program
  screen display
  tap click press touch
  type enter fill
  drag pull move
  swipe scroll
  video film movie recording screencast
  record capture film
  audio sound
  subtitle transcript caption
  page site website
  address url link
  address place location where
  location place position coordinate gps point
  map geography
  near nearby nearest close closest around
  direction route way path travel
  drive car travel
  walk foot
  flight fly plane airplane
  airport fly
  hotel apartment accommodation listing stay room
  weather rain temperature warm cold umbrella
  forecast weekend tomorrow
  translate language
  language speak
  dictionary glossary term
  paper article publication study
  citation reference bibliography
  abstract summary
  summary summarize overview
  detail information info more about
  statistic stats figure metric
  report analysis
  monitor watch observe track follow subscribe
  unsubscribe unwatch
  favorite star like bookmark
  emoji reaction react thumb
  review approve feedback
  approve accept confirm
  reject decline refuse
  branch fork
  repository repo project
  commit change
  push upload
  pull download
  upload import
  download export save
  import load
  database db
  collection table
  schema structure field column
  index speed
  document record
  container docker
  process program
  command terminal shell
  memory ram heap
  network request traffic
  browser tab
  test check verify validate
  verify validate check valid
  build pipeline job ci
  pipeline workflow
  release version
  server host machine
  code source program
  function method
  class type
  contract agreement
  invoice bill receipt
  customer client contact
  company organization firm account
  employee staff worker
  boss manager reports
  meeting event appointment
  reminder remind
  deadline due
  priority urgent important
  draft unsent
  color colour
  bold format style
  border line
  width wide size
  size large big
  height tall
  area surface region zone
  region province district
  border outline boundary
  middle center centroid
  halfway middle
  inside within contain
  overlap intersect common
  circle round
  share proportion percentage slice
  trend development time
  flow stream
  hierarchy tree nested
  relation relationship link connection
  idea thought
  cause reason why
  step stage
  sport activity workout exercise run ride
  heart pulse
  solution solve
  disease medical clinical
  wallet address balance
  coin token currency
  transaction transfer
  visitor user traffic session
  conversion goal
  refund return
  cart basket
  campaign ad advertising
  form questionnaire survey
  poll vote
  backup copy
  key secret
  environment variable
  setting configuration config preference option
  help manual documentation docs guide
  example sample
  template pattern
  sort order rank
  filter narrow
  group category
  category kind type section
  quota limit left
  storage disk space
`
  .trim()
  .split('\n');

const groupsByStem = new Map<string, number[]>();
groups.forEach((line, group) => {
  for (const key of new Set(line.trim().split(' ').map(stem))) {
    groupsByStem.set(key, [...(groupsByStem.get(key) ?? []), group]);
  }
});
const none: readonly number[] = [];

/** Numbers of the groups that a stem belongs to; most words belong to none. */
export function groupsOf(wordStem: string): readonly number[] {
  return groupsByStem.get(wordStem) ?? none;
}
