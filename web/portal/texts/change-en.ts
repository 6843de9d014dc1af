/** Words of what another plan comes to. */
export const changeEn = {
  number: 'Number',
  toCheckout: 'Continue to the checkout',
  keepPlan: 'Keep it as it is',
  dueNow: 'Due now',
  credit: 'Credit for unused time',
  creditDays: 'Credit for {left} of {days} days',
  renewalDiscount: 'Renewal discount',
  coupon: 'Coupon',
  tax: 'Tax',
  taxRate: 'Tax ({rate})',
  renewsAt: 'Renews on {date} for {amount}, {cycle}.',
  renewsTaxed: 'Renews on {date} for {amount} with tax, {cycle}.',
  renewsNever: 'It is paid once. Nothing renews.',
  newEnd: 'Your license then works until {date}.',
  creditLeft: '{amount} of the credit is left over, and is not paid out.',
  taxProvisional: 'The VAT ID could not be checked. The tax is given back once it is found.',
}
