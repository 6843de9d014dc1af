import { textsOf } from '../../shared/language.ts'
import type { PlanChangeTexts } from './en-plan-change.ts'
import { language } from './texts.ts'

const english = async (): Promise<PlanChangeTexts> => (await import('./en-plan-change.ts')).enPlanChange
const german = async (): Promise<PlanChangeTexts> => (await import('./de-plan-change.ts')).dePlanChange

export const planChangeTexts: PlanChangeTexts = await textsOf(
  language,
  { en: english, de: german },
  english,
)()
