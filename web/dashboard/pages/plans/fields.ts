import type { Pricing } from '../../../../src/catalogue/plans/pricing-schema.ts'
import { fill } from '../../../shared/language.ts'
import type { UnitWords } from '../../../shared/units.ts'
import type { Field, Values } from '../../form.tsx'
import { cycleText } from '../../format.tsx'
import { texts } from '../../texts/texts.ts'

/** What is said of a plan. */
export const PLAN_FIELDS: readonly Field[] = [
  { name: 'title', label: texts.planTitle, help: texts.planTitleHelp, empty: 'left out' },
  { name: 'name', label: texts.planName, help: texts.planNameHelp, empty: 'left out' },
  { name: 'description', label: texts.planDescription, kind: 'lines', empty: null },
  { name: 'trial_period', label: texts.planTrial, help: texts.planTrialHelp, kind: 'number' },
  { name: 'is_require_subscription', label: texts.planNeedsMethod, kind: 'flag' },
  {
    name: 'license_type',
    label: texts.planLicenseType,
    kind: 'numbered',
    options: [
      ['0', texts.planByDomain],
      ['1', texts.planBySubdomain],
    ],
  },
  { name: 'is_free_localhost', label: texts.planLocalhost, kind: 'flag' },
  { name: 'is_block_features', label: texts.planBlocks, kind: 'flag' },
  { name: 'is_block_features_monthly', label: texts.planBlocksMonthly, kind: 'flag' },
  { name: 'support_kb', label: texts.supportKb, kind: 'url', empty: null },
  { name: 'support_forum', label: texts.supportForum, kind: 'url', empty: null },
  { name: 'support_email', label: texts.supportEmail, kind: 'email', empty: null },
  { name: 'support_phone', label: texts.supportPhone, empty: null },
  { name: 'is_success_manager', label: texts.planManager, kind: 'flag' },
  { name: 'is_featured', label: texts.planFeatured, kind: 'flag' },
]

/** What is said of a plan that is there, beside that. */
export const KNOWN_PLAN_FIELDS: readonly Field[] = [
  ...PLAN_FIELDS,
  { name: 'is_hidden', label: texts.planHidden, kind: 'flag' },
]

/** As a plan is that nothing was said of. */
export const NEW_PLAN: Values = {
  license_type: 0,
  is_free_localhost: true,
  is_block_features: true,
  is_block_features_monthly: true,
}

export const CURRENCIES = ['usd', 'eur', 'gbp'].map((code) => [code, code.toUpperCase()] as const)

const CYCLES = [
  ['monthly_price', 1],
  ['annual_price', 12],
  ['lifetime_price', 0],
] as const

/** What is said of a price. */
export const priceFields = ({ many }: UnitWords): readonly Field[] => [
  {
    name: 'licenses',
    label: fill(texts.priceSites, { units: many }),
    help: texts.priceSitesHelp,
    kind: 'number',
  },
  { name: 'currency', label: texts.currency, kind: 'choice', options: CURRENCIES },
  ...CYCLES.map(([name, cycle]): Field => ({
    name,
    label: fill(texts.priceOfCycle, { cycle: cycleText(cycle) }),
    help: texts.priceEmpty,
    kind: 'number',
  })),
]

/** What is said of a price that is there, beside that. */
export const knownPriceFields = (unit: UnitWords): readonly Field[] => [
  ...priceFields(unit),
  { name: 'is_hidden', label: texts.priceHidden, kind: 'flag' },
  { name: 'is_whitelabeled', label: texts.priceWhitelabeled, kind: 'flag' },
]

/** As a price is that nothing was said of. */
export const NEW_PRICE: Values = { licenses: 1, currency: 'usd' } satisfies Partial<Pricing>
