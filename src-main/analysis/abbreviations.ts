/**
 * Abbreviations that names of tools and parameters use, with the words in full: general English. None
 * that is often another word or stands for two ("min", "temp", "doc").
 */
const inFull = new Map(
  `
    acct account, addr address, amt amount, auth authentication, calc calculate, cfg configuration,
    cm centimeter, cmd command, config configuration, cust customer, db database, del delete,
    desc description, dest destination, dir directory, env environment, exec execute, fn function,
    ft foot, func function, gen generate, grp group, hr hour, hrs hours, img image, info information,
    kg kilogram, km kilometer, kw keyword, lang language, lat latitude, lbs pounds, lng longitude,
    lon longitude, mgmt management, mm millimeter, msg message, msgs messages, notif notification,
    num number, org organization, orgs organizations, param parameter, params parameters,
    perm permission, perms permissions, pkg package, pkgs packages, pref preference,
    prefs preferences, prev previous, pwd password, qty quantity, ref reference, refs references,
    repo repository, repos repositories, src source, stat statistic, stats statistics,
    txn transaction, txns transactions, usr user, val value, var variable, vars variables
  `
    .trim()
    .split(/,\s+/u)
    .map((pair) => pair.split(' ') as [string, string]),
);

/** A word in full: "db" → "database"; other words as they are. */
export const wordInFull = (word: string): string => inFull.get(word) ?? word;
