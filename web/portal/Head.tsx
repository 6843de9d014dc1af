import { Head as HeadOf, type Heading } from '../ui/Head.tsx'
import { texts } from './texts/texts.ts'

/** The top of a page of the portal. */
export const Head = (heading: Heading) => <HeadOf {...heading} tab={`${heading.title} · ${texts.portal}`} />
