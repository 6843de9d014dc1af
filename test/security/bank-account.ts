/** A well-formed one. */
export const BANK_ACCOUNT = {
  account_number: 'DE89370400440532013000',
  name: 'Some Body',
  phone: '',
  address_street: 'Main Street 1',
  address_city: 'Berlin',
  address_zip: '10115',
  address_country_code: 'de',
  bank_name: 'A Bank',
  bank_city_state: 'Berlin',
  bank_country_code: 'de',
  swift: 'COBADEFF',
}
