import { Type, type Static } from '../../lib/type.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  InEnvironment,
  MadeBetween,
  Nullable,
  Optional,
  Paging,
  Sorted,
  Text,
  Time,
} from '../../http/wire.ts'
import type { MailRow } from '../../mail/mail-rows.ts'
import { OWN_TEMPLATES } from '../../mail/own-texts.ts'
import { LANGUAGES } from '../../mail/texts/texts.ts'
import { maskedEmail } from '../../lib/masked-email.ts'
import { timeOrNull, toUtcTime } from '../../lib/time.ts'

const STATES = ['pending', 'sent', 'failed'] as const

const MAIL = {
  id: IdText(),
  kind: Type.String({ description: 'Which mail it is; of several that follow each other the name of all.' }),
  email: Type.String({
    description: 'Whom it is for; of who is no user yet no more than the one knows it by.',
  }),
  user_id: Nullable(IdText()),
  environment: Choice([0, 1], {
    description: '1: it is about something of the sandbox; what is about neither counts as live.',
  }),
  state: Choice(STATES),
  attempts: Type.Integer({ description: 'How often it was put off or refused.' }),
  created: Time(),
  sent: Nullable(Time()),
  next_attempt: Nullable(Time()),
  error: Nullable(Type.String({ description: 'What the mail server, or ours, said last.' })),
  is_kept: Type.Boolean({
    description: 'Whether what it says is still there, so that it can be sent again.',
  }),
}

export const Mail = Type.Object(MAIL, { title: 'Mail' })
export type Mail = Static<typeof Mail>

export const MailPreview = Type.Object(
  { subject: Type.String(), text: Type.String(), html: Type.String() },
  { title: 'MailPreview' },
)

export const MailWithContent = Type.Object(
  {
    ...MAIL,
    content: Nullable(
      Type.Object(
        { subject: Type.String(), text: Type.String(), html: Type.String() },
        { description: 'What it says, its links and keys covered; null: that is no longer kept.' },
      ),
    ),
  },
  { title: 'MailWithContent' },
)
export type MailWithContent = Static<typeof MailWithContent>

export const MailList = Arguments({
  user_id: Optional(Id('Only to this user.')),
  state: Optional(Choice(STATES, { description: 'Only in this state.' })),
  ...MadeBetween,
  ...Sorted,
  environment: InEnvironment,
  ...Paging,
  ...Fields,
})
export type MailList = Static<typeof MailList>

export const MailId = Arguments({ mail_id: Id() })

/** Row → wire. */
export const presentMail = (row: MailRow): Mail => ({
  id: String(row.id),
  kind: row.kind,
  email: row.user_id === null ? maskedEmail(row.recipient) : row.recipient,
  user_id: row.user_id === null ? null : String(row.user_id),
  environment: row.environment,
  state: row.state,
  attempts: row.attempts,
  created: toUtcTime(row.created_at),
  sent: timeOrNull(row.sent_at),
  next_attempt: timeOrNull(row.due_at),
  error: row.last_error,
  is_kept: row.content !== null,
})

export const TemplateName = Arguments({
  template_name: Choice(OWN_TEMPLATES, { description: 'Which mail.' }),
})

const Language = Choice(LANGUAGES, { description: 'The language of the text.' })
export const InLanguage = Arguments({ language: Optional(Language) })
export const OfLanguage = Arguments({ language: Language })

const PLACEHOLDERS = 'In it `{{name}}` stands for a value.'

export const MailTextInput = Arguments({
  language: Language,
  subject: Text({ min: 1, max: 200, description: PLACEHOLDERS }),
  body: Text({
    min: 1,
    max: 5_000,
    format: 'text',
    description: `Paragraphs with an empty line between. ${PLACEHOLDERS} A paragraph whose value is missing is left out.`,
  }),
  button: Optional(Text({ max: 60, description: 'The word of the button; empty: the built-in one.' })),
  closing: Optional(Text({ max: 2_000, format: 'text', description: 'Paragraphs at the end of the mail.' })),
})
export type MailTextInput = Static<typeof MailTextInput>

export const MailTemplate = Type.Object(
  {
    name: Type.String(),
    placeholders: Type.Array(Type.String()),
    own_languages: Type.Array(Type.String(), {
      description: 'The languages in which the product has its own text.',
    }),
  },
  { title: 'MailTemplate' },
)
export type MailTemplate = Static<typeof MailTemplate>

export const MailTemplateText = Type.Object(
  {
    name: Type.String(),
    language: Type.String(),
    is_own: Type.Boolean(),
    subject: Type.String(),
    body: Type.String(),
    button: Type.String(),
    closing: Type.String(),
    has_button: Type.Boolean({ description: 'Whether the mail has a button.' }),
    placeholders: Type.Array(Type.String()),
  },
  { title: 'MailTemplateText' },
)
export type MailTemplateText = Static<typeof MailTemplateText>
