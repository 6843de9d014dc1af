import type { MailContent } from './message.ts'
import { written, type Subject } from './outbox.ts'
import { withOwnText, type OwnText } from './own-texts.ts'
import type { Filled } from './render.ts'
import { SAMPLES } from './samples.ts'
import type { Template } from './templates.ts'

interface Shown {
  readonly template: Template
  readonly language: string | null
  /** In the place of the text that its product has; absent: that one, or the built-in. */
  readonly own?: OwnText
}

type Example = { readonly [T in Template]: Filled<T> }[Template]

/** A mail filled with examples. */
export const exampleOf = (template: Template, name = 'Ada Lovelace'): Example =>
  ({
    template,
    name,
    values: SAMPLES[template],
    ...(template.startsWith('cart_recovery.') && {
      unsubscribe: 'https://shop.example.com/unsubscribe/a-link',
    }),
  }) as Example

/** A mail as it is sent, filled with examples. */
export function previewOf(
  baseUrl: string,
  about: Subject | undefined,
  { template, language, own }: Shown,
): MailContent {
  const { product = 'Your product', icon = null, ownTexts = null } = about ?? {}
  const draft = own && withOwnText(ownTexts, { template, language: language ?? '' }, own)
  const subject = { product, icon, language, ownTexts: draft ?? ownTexts }
  return written(baseUrl, subject, exampleOf(template))
}
