import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { findDeveloper } from '../../accounts/sessions/session-rows.ts'
import { hold } from '../../db/hold.ts'
import type { Problems } from '../../http/decode.ts'
import { notFound, tooManyRequests } from '../../lib/errors.ts'
import { HOUR, SECOND } from '../../lib/time.ts'
import { mayTest } from '../../mail/limits.ts'
import { findAbout } from '../../mail/mail-rows.ts'
import type { MailContent } from '../../mail/message.ts'
import { queueMail } from '../../mail/outbox.ts'
import { findOwnTexts, writeOwnTexts } from '../../mail/own-text-rows.ts'
import {
  OWN_TEMPLATES,
  ownLanguages,
  ownTextIn,
  placeholdersOf,
  unknownPlaceholders,
  withOwnText,
  type OwnText,
} from '../../mail/own-texts.ts'
import { exampleOf, previewOf } from '../../mail/preview.ts'
import { startOf } from '../../mail/render.ts'
import { SAMPLES } from '../../mail/samples.ts'
import type { Template } from '../../mail/templates.ts'
import { LANGUAGES, textsIn } from '../../mail/texts/texts.ts'
import type { MailTemplate, MailTemplateText, MailTextInput } from './schema.ts'

const FIRST_LANGUAGE = LANGUAGES[0] ?? 'en'

/** The mails whose texts a product may have of its own. */
export async function getTemplates({ db }: ReadContext, scope: Scope): Promise<MailTemplate[]> {
  const stored = await findOwnTexts(db, scope)
  return OWN_TEMPLATES.map((template) => ({
    name: template,
    placeholders: placeholdersOf(template),
    own_languages: ownLanguages(stored, template),
  }))
}

interface InLanguage {
  readonly language?: string | undefined
}

/** The text of a mail, the product's own or the built-in one as an own one begins. */
export async function getTemplate(
  { db }: ReadContext,
  scope: Scope,
  template: Template,
  { language = FIRST_LANGUAGE }: InLanguage,
): Promise<MailTemplateText> {
  return presentText(template, language, ownTextIn(await findOwnTexts(db, scope), template, language))
}

function presentText(template: Template, language: string, own: OwnText | null): MailTemplateText {
  const placeholders = placeholdersOf(template)
  const builtIn = startOf(textsIn(language), template, { placeholders, sample: SAMPLES[template] })
  const { subject, body, button, closing } = own ?? builtIn
  return {
    name: template,
    language,
    is_own: own !== null,
    subject,
    body,
    button,
    closing,
    has_button: builtIn.button !== '',
    placeholders,
  }
}

/** A mail as it is sent, filled with examples; by a text that is not saved yet where one is given. */
export async function previewTemplate(
  ctx: ReadContext,
  { productId }: Scope,
  template: Template,
  { language = FIRST_LANGUAGE, own }: InLanguage & { readonly own?: OwnText },
): Promise<MailContent> {
  const about = await findAbout(ctx.db, { productId, userId: null })
  return previewOf(ctx.baseUrl, about, { template, language, ...(own && { own }) })
}

/** What is given as the text that is kept. */
export const ownTextOf = ({ subject, body, button = '', closing = '' }: MailTextInput): OwnText => ({
  subject,
  body,
  button,
  closing,
})

/** Names each placeholder that the mail does not know, at the field that has it. */
export function checkPlaceholders(template: Template, input: MailTextInput, problems: Problems): void {
  if (problems.has('template_name')) return
  for (const field of ['subject', 'body', 'button', 'closing'] as const) {
    const text = input[field]
    if (text === undefined || problems.has(field)) continue
    const unknown = unknownPlaceholders(text, template)
    if (unknown.length === 0) continue
    const known = placeholdersOf(template).map((one) => `{{${one}}}`)
    const message = `must not have ${unknown.join(', ')}: this mail knows ${known.join(', ')}`
    problems.malformed.push({ field, message })
  }
}

/** Gives the product its own text of a mail in a language; what is mailed from now on is written by it. */
export async function writeTemplate(
  ctx: TxContext,
  scope: Scope,
  template: Template,
  input: MailTextInput,
): Promise<MailTemplateText> {
  const own = ownTextOf(input)
  const { language } = input
  await replaceText(ctx, scope, { template, language, own })
  return presentText(template, language, own)
}

/** Gives a mail its built-in text back in a language. */
export async function resetTemplate(
  ctx: TxContext,
  scope: Scope,
  template: Template,
  language: string,
): Promise<void> {
  await replaceText(ctx, scope, { template, language, own: null })
}

interface Replaced {
  readonly template: Template
  readonly language: string
  readonly own: OwnText | null
}

/** Holds the product, so that of two who write at once neither loses a text. */
async function replaceText(
  { db }: TxContext,
  scope: Scope,
  { template, language, own }: Replaced,
): Promise<void> {
  await hold(db, 'products', scope, scope.productId)
  await writeOwnTexts(db, scope, withOwnText(await findOwnTexts(db, scope), { template, language }, own))
}

/** Mails an example to who is logged in, as customers get it; 429 after 30 in an hour of an account. */
export async function testTemplate(
  ctx: TxContext,
  { developerId, productId, actor }: Scope,
  template: Template,
  language: string,
): Promise<void> {
  const person = await findDeveloper(ctx.db, actor.id)
  if (!person) throw notFound('person')
  if (!(await mayTest(ctx, developerId))) throw tooManyRequests(HOUR / SECOND)
  await queueMail(ctx, {
    developerId,
    productId,
    userId: null,
    recipient: person.email,
    language,
    ...exampleOf(template, person.first),
  })
}
