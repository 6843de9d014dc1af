import { useQuery } from '@tanstack/react-query'
import { useState, type ChangeEvent } from 'react'
import type { CheckoutProduct } from '../../../../src/sales/pricing-table/checkout-product-schema.ts'
import { ask, prefix } from '../../../ui/server.ts'
import { FormPanel, type Field } from '../../form.tsx'
import { usePlace } from '../../place.ts'
import type { PortalPart } from '../../texts/en-portal.ts'
import { portalTexts as texts } from '../../texts/of-portal.ts'
import { sentSetting, shownSetting } from './fields.ts'
import { PortalPreview } from './PortalPreview.tsx'

/** `setting_type` of what a product says of the portal. */
const TYPE = 8

const PARTS = Object.keys(texts.parts) as PortalPart[]
const OF_PERSON: readonly PortalPart[] = ['billing_details', 'profile', 'export', 'erase']

/** A switch that is on where customers may do it. */
const SWITCHES: readonly Field[] = PARTS.map((part) => {
  const [label, off] = texts.parts[part]
  return {
    name: part,
    label,
    help: OF_PERSON.includes(part) ? `${off} ${texts.ofPerson}` : off,
    kind: 'flag',
  }
})

const words = (name: string, label: string, help?: string): Field => ({
  name: `data.${name}`,
  label,
  help,
  empty: null,
})

const WORDS: readonly Field[] = [
  words('portal_greeting_en', texts.greeting),
  words('portal_greeting_de', texts.greetingDe, texts.otherLanguage),
  words('portal_help_en', texts.helpLine),
  words('portal_help_de', texts.helpLineDe, texts.otherLanguage),
]

const HOSTS: readonly Field[] = [
  { name: 'data.portal_embed_hosts', label: texts.hosts, help: texts.hostsHelp, kind: 'list' },
]

interface PortalOf {
  /** What is said of the portal, and of the pages of the product: JSON texts. */
  readonly portal: string
  readonly pages: string
}

/** What customers may do in the portal of a product, and how it greets them. */
export function PortalSettings({ portal, pages }: PortalOf) {
  const { path, product } = usePlace()
  const before = shownSetting(portal)
  const off = (before['data.portal_off'] ?? []) as readonly PortalPart[]
  const panel = { group: 'catalogue', before }
  const put = (changed: Record<string, unknown>) =>
    ({ method: 'PUT', path: `${path}/settings.json`, body: sentSetting(TYPE, changed) }) as const
  return (
    <section className="stack" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p className="muted">
        {texts.about}{' '}
        <a href={`${prefix}/portal/?product_id=${product}`} target="_blank" rel="noopener">
          {texts.look}
        </a>
      </p>
      <div className="halves">
        <FormPanel
          {...panel}
          title={texts.may}
          about={texts.mayMore}
          fields={SWITCHES}
          before={Object.fromEntries(PARTS.map((part) => [part, !off.includes(part)]))}
          sent={(changed) => put({ 'data.portal_off': switched(off, changed) })}
        />
        <div className="stack">
          <Words {...panel} pages={pages} put={put} />
          <FormPanel
            {...panel}
            title={texts.frame}
            about={texts.frameMore}
            fields={HOSTS}
            group="members"
            sent={put}
          />
        </div>
      </div>
    </section>
  )
}

/** What is off after these switches were turned. */
const switched = (off: readonly PortalPart[], changed: Record<string, unknown>): readonly PortalPart[] =>
  PARTS.filter((part) => (part in changed ? changed[part] === false : off.includes(part)))

interface WordsOf {
  readonly group: string
  readonly before: Readonly<Record<string, unknown>>
  readonly pages: string
  readonly put: Parameters<typeof FormPanel>[0]['sent']
}

/** The words, with the sign-in page as it is with what is typed. */
function Words({ group, before, pages, put }: WordsOf) {
  const { product } = usePlace()
  const { data } = useQuery({
    queryKey: ['checkout product', product],
    queryFn: () => ask<CheckoutProduct>(`/checkout/products/${product}.json`),
  })
  // That of the product's senders or its store, where it has none of its own.
  const support = data && { 'data.support_email': data.support_email }
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const type = ({ target }: ChangeEvent<HTMLDivElement>) => {
    if (target instanceof HTMLInputElement) setTyped((all) => ({ ...all, [target.name]: target.value }))
  }
  return (
    <div className="stack" onChange={type}>
      <FormPanel
        title={texts.words}
        about={texts.wordsMore}
        fields={WORDS}
        before={before}
        group={group}
        sent={put}
      />
      <PortalPreview said={{ ...shownSetting(pages), ...support, ...before, ...typed }} />
    </div>
  )
}
