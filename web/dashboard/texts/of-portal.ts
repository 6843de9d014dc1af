import { textsOf } from '../../shared/language.ts'
import type { PortalTexts } from './en-portal.ts'
import { language } from './texts.ts'

const english = async (): Promise<PortalTexts> => (await import('./en-portal.ts')).enPortal
const german = async (): Promise<PortalTexts> => (await import('./de-portal.ts')).dePortal

export const portalTexts: PortalTexts = await textsOf(language, { en: english, de: german }, english)()
