import { Fragment } from 'preact'
import { fill } from '../../shared/language.ts'
import { usePage } from '../page.ts'
import { siteToConnect } from '../site.ts'

/** What is accepted by paying, and by which software the page is made. */
export function Legal() {
  const { address, texts, host, product, state } = usePage()
  const site = address.wordpress && siteToConnect(address.wordpress, host)
  const name = product?.title ?? state.checkout?.product.title ?? ''
  return (
    <>
      <Terms />
      {site && <p class="muted legal">{fill(texts.connectsSite, { site, product: name })}</p>}
      {product?.keywright_badge && <p class="muted legal">{texts.madeWith}</p>}
    </>
  )
}

function Terms() {
  const { state, texts } = usePage()
  const { terms_url: terms = null, privacy_url: privacy = null } = state.checkout?.product ?? {}
  if (terms === null && privacy === null) return null
  const links: Readonly<Record<string, { readonly to: string; readonly text: string }>> = {
    ...(terms !== null && { terms: { to: terms, text: texts.termsLink } }),
    ...(privacy !== null && { privacy: { to: privacy, text: texts.privacyLink } }),
  }
  const both = privacy === null ? texts.termsOnly : texts.terms
  const text = terms === null ? texts.privacyOnly : both
  return (
    <p class="muted legal">
      {text.split(/\{(\w+)\}/).map((part, at) => {
        const link = at % 2 === 1 ? links[part] : undefined
        if (!link) return <Fragment key={at}>{part}</Fragment>
        return (
          <a key={at} href={link.to} target="_blank" rel="noopener">
            {link.text}
          </a>
        )
      })}
    </p>
  )
}
