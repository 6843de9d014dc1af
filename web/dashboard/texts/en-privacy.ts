/** The words of what is stored of a customer. */
export const enPrivacy = {
  personData: 'Data of the person',
  personDataMore: 'What is stored of this customer over all of your products.',
  downloadPerson: 'Download the data',
  downloadingPerson: '{count} records so far',
  downloadedPerson: 'The file has {count} records.',
  erasePerson: 'Erase this customer',
  erasePersonMore:
    'The customer is gone from all of your products, and nothing brings anything back. Licenses end at once, subscriptions are cancelled.',
  erasePersonGoes:
    'Erased are name, addresses, installs, carts, mails, reviews, methods of payment and notes, and what events, webhooks and the audit log say.',
  erasePersonStays:
    'Kept by law are payments, invoices with the name and address on them, and the ledger, which stays right to the cent.',
  erasePersonHit:
    'In this product, live and test: licenses {licenses}, subscriptions {subscriptions}, payments that are kept {payments}.',
  erasePersonOthers: 'What there is in your other products ({count}) ends and goes in the same way.',
  erasePersonType: 'Type {email} to confirm',
  keepPerson: 'Keep the customer',
}
