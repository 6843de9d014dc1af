import { fill } from '../shared/language.ts'
import { said, type Look } from './look.ts'
import { texts } from './texts/texts.ts'

/** Where a seller says that buyers turn to; nothing where that is not said. */
export function Help({ look: { help, support_email: email } }: { readonly look: Look }) {
  const line = said(help)
  if (line === null && email === null) return null
  return (
    <p className="portal-help muted">
      {line === null ? null : `${line} `}
      {email === null ? null : <a href={`mailto:${email}`}>{fill(texts.writeTo, { email })}</a>}
    </p>
  )
}

interface ByMail {
  /** With `{email}`. */
  readonly text: string
  readonly email: string | null
}

/** How a buyer asks for what the seller has switched off here. */
export function AskByMail({ text, email }: ByMail) {
  const [before = '', after = ''] = text.split('{email}')
  return (
    <p className="note">
      {before}
      {email === null ? null : <a href={`mailto:${email}`}>{email}</a>}
      {after}
    </p>
  )
}
