import type { CSSProperties } from 'react'
import { buttonColours } from '../../../shared/accent.ts'
import { fill } from '../../../shared/language.ts'
import { portalTexts as texts } from '../../texts/of-portal.ts'
import { language } from '../../texts/texts.ts'

/** The colours of the page in both looks (`web/shared/tokens.css`). */
const LOOKS = {
  light: {
    page: '#fff',
    text: '#16181d',
    muted: '#5b6472',
    border: '#e3e6eb',
    link: '#3d4edb',
    button: '#3d4edb',
  },
  dark: {
    page: '#14161b',
    text: '#e7e9ee',
    muted: '#a0a8b6',
    border: '#2b303a',
    link: '#9fb0ff',
    button: '#4c5df0',
  },
} as const

type Said = Readonly<Record<string, unknown>>

const textIn = (said: Said, name: string): string | null => {
  const value = said[`data.${name}`]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** As the portal chooses: the language of the page, else the other one. */
function inLanguage(said: Said, name: string): string | null {
  const [one, other] = language.startsWith('de') ? ['de', 'en'] : ['en', 'de']
  return textIn(said, `${name}_${one}`) ?? textIn(said, `${name}_${other}`)
}

/** The page on which customers ask for a link, light and dark, with what is said of it. */
export function PortalPreview({ said }: { readonly said: Said }) {
  const accent = textIn(said, 'checkout_accent')
  return (
    <section className="panel card form stack" aria-label={texts.preview}>
      <h2>{texts.preview}</h2>
      <div className="halves">
        <Sample said={said} look="light" />
        <Sample said={said} look="dark" />
      </div>
      {accent !== null && !buttonColours(accent) ? <p className="muted">{texts.notReadable}</p> : null}
    </section>
  )
}

function Sample({ said, look }: { readonly said: Said; readonly look: keyof typeof LOOKS }) {
  const { page, text, muted, border, link, button } = LOOKS[look]
  const colours = buttonColours(textIn(said, 'checkout_accent')) ?? { ground: button, text: '#fff' }
  const logo = textIn(said, 'checkout_logo_url')
  const greeting = inLanguage(said, 'portal_greeting')
  const help = inLanguage(said, 'portal_help')
  const email = textIn(said, 'support_email')
  const card: CSSProperties = {
    padding: 16,
    borderRadius: 6,
    border: `1px solid ${border}`,
    background: page,
    color: text,
    overflowWrap: 'anywhere',
  }
  const act: CSSProperties = {
    padding: '8px 16px',
    borderRadius: 6,
    background: colours.ground,
    color: colours.text,
    fontWeight: 600,
    textAlign: 'center',
  }
  return (
    <figure className="plain" aria-label={texts[look]}>
      <div className="stack" style={card}>
        {logo === null ? null : (
          <img src={logo} alt="" height={32} style={{ maxWidth: 120, objectFit: 'contain' }} />
        )}
        {greeting === null ? null : <p>{greeting}</p>}
        <strong>{texts.sampleTitle}</strong>
        <span style={act}>{texts.sampleAct}</span>
        {help === null && email === null ? null : (
          <p style={{ color: muted }}>
            {help}{' '}
            {email === null ? null : (
              <span style={{ color: link }}>{fill(texts.sampleWrite, { email })}</span>
            )}
          </p>
        )}
      </div>
      <figcaption className="muted">{texts[look]}</figcaption>
    </figure>
  )
}
