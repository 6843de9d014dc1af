/** Words of another plan for a license. */
export const enPlanChange = {
  change: 'Change plan',
  title: 'Change the plan of license #{id}',
  to: 'Plan and number of {units}',
  keepsSites: '{plan}, {units} as now',
  preview: 'What changes',
  plan: 'Plan: {from} → {to}',
  samePlan: 'Plan: {to}, as now',
  sites: '{from} → {to}',
  sameSites: '{to}, as now',
  over: 'It is active on {count} {units} too many. They go on; nothing is activated until they are fewer.',
  feature: '{feature}: {from} → {to}',
  given: 'included',
  notGiven: 'not included',
  sameFeatures: 'Features: the same',
  ends: 'Ends as now: {time}',
  neverEnds: 'Never ends, as now',
  renews: 'Its subscription stays: {amount} without tax at the next renewal on {time}, as agreed.',
  priceNow: 'Who buys this plan now pays {amount}.',
  byHand: 'Nothing renews it by itself. Its owner renews it at the price of the plan.',
  noOther: 'There is no other plan or price.',
}

export type PlanChangeTexts = typeof enPlanChange
