/** Why a row cannot be taken, whatever it comes from: the code, and what it says. */
export const FAULTS = {
  not_read: 'The line is no line of its file: no JSON, or not as many cells as the file has columns.',
  no_object: 'The line is JSON, and no object.',
  unknown_column: 'The kind has no such column.',
  missing: 'The column must be there, and must not be empty.',
  not_id: 'It is no id: a whole number from 1.',
  not_integer: 'It is no whole number.',
  not_text: 'It is no text, or has characters that are none.',
  not_flag: 'It is neither true nor false.',
  not_time: 'It is no time in UTC as `YYYY-MM-DD HH:MM:SS`.',
  impossible_time: 'It is written as a time, and is no day or no hour.',
  not_json: 'It is no list and no object as JSON in a text.',
  wrong_form: 'It is text, and not in the form of the column: an address, a key, a country, base64.',
  too_small: 'It is below the least that it may be; of what was taken back, less than the rows that did.',
  too_large: 'It is above the most that it may be, such as a discount above 100 percent.',
  too_long: 'The text has too many characters.',
  unknown_choice: 'It is none of the words or numbers that the column takes.',
  unknown_currency: 'Nothing is sold in the currency here.',
  negative: 'A payment is below 0: what takes back is a row of its own.',
  ends_before_start: 'It ends before it begins.',
  wrong_owner: 'A coupon is of a product or of a store, and this one is of both or of neither.',
  cancelled: 'A subscription that is cancelled falls due.',
  paid_elsewhere: 'A subscription that is paid elsewhere falls due here.',
  not_bound: 'A row that takes back does not name the payment that it is of.',
  not_counted: 'An install takes a place of a license, and has none.',
  no_bundle: 'A bundle has a type that no bundle has.',
  other_label: 'A product of this type has a label of its own beside it.',
  double_id: 'The id, or what else names a row, is in a line before.',
  double: 'What no two rows have in common, such as a key, is in a line before.',
  taken: 'What no two rows have in common is here already, of another row.',
  id_taken: 'The id is here already, of another row of the account.',
  id_of_another: 'The id is here already, of another account.',
  unknown_reference: 'It names a row that is neither in the files nor here.',
  foreign_reference: 'It names a row of another account.',
  other_product: 'It names a row of another product.',
} as const

/** Why what another platform has cannot become a row, beside those. */
export const PLATFORM_FAULTS = {
  no_id: 'It has no id.',
  no_email: 'A person has no address, or one that is none.',
  no_key: 'A license has no key.',
  not_money: 'It is no amount.',
  not_whole: 'It is no whole number, or none of the parts that it is counted in.',
  unknown_state: 'It has a state that is not known.',
  unknown_cycle: 'It is charged neither monthly nor yearly.',
} as const

/** What is no row here, counted by these codes. */
export const ASIDE = {
  charged_back: 'The bank took it back.',
  deactivated: 'It is not active any more.',
  is_order: 'It comes as the order that it belongs to.',
  is_refund: 'It comes with the payment that was given back.',
  limited_to_products: 'It is only for some products.',
  minimum_amount: 'It is only above an amount.',
  no_code: 'It has no code.',
  no_fixed_price: 'It has no fixed price.',
  not_begun: 'It was never begun.',
  not_paid: 'It was never paid.',
  of_seats: 'It is of single seats.',
  of_subscriptions: 'It is only for subscriptions.',
  of_the_team: "It is of the seller's own team.",
  other_currency: 'It is in a currency that it cannot have here.',
  other_cycle: 'It is charged neither monthly, yearly nor once.',
  unknown_subscription: 'A method of payment of a subscription that is not there.',
} as const

/** Why a row stays as it is here, though it is another one where it comes from. */
export const KEPT = {
  changed_here: 'It was changed here since it was brought.',
  removed_here: 'It was removed here since it was brought.',
} as const

/** Why undoing an import leaves a row. */
export const STAYS = {
  changed_here: 'It was changed here since it was brought.',
  in_use: 'Something here refers to it.',
  was_here_before: 'It was here before the import.',
} as const

export type Fault = keyof typeof FAULTS
export type PlatformFault = Fault | keyof typeof PLATFORM_FAULTS
export type AsideCode = keyof typeof ASIDE
export type KeptCode = keyof typeof KEPT
export type StaysCode = keyof typeof STAYS
