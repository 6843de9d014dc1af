/** The words of what is stored of a person. */
export const enData = {
  myData: 'Your data',
  myDataMore:
    'Everything that is stored about you, of all products of the seller, as one file that programs can read.',
  download: 'Download my data',
  downloading: '{count} records so far',
  downloaded: 'The file has {count} records.',
  eraseMe: 'Erase me',
  eraseMore: 'Everything about you is erased, and nothing brings it back.',
  eraseEnds:
    'Your licenses end at once, subscriptions are cancelled, and where a license is active it works no longer.',
  eraseGoes:
    'Erased are your name, addresses and profile, keys, installs, carts, mails, reviews, your methods of payment, and what is noted about you.',
  eraseStays:
    'Kept by law are payments and their invoices, with the name and address that stand on them. They are not used for anything else.',
  eraseType: 'Type your address {email} to confirm',
  eraseKeep: 'Keep my account',
  erasedTitle: 'Your data is erased',
  erasedMore: 'You are signed out. What is left is erased within the next hours.',
}
