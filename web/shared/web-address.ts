/** An address that a link may lead to: of the web, and nothing that runs. */
export function webAddress(text: string | null): string | null {
  if (text === null || !/^https?:\/\//i.test(text)) return null
  try {
    return new URL(text).href
  } catch {
    return null
  }
}

/** The host of an address with or without its protocol, with its port; null: it has none. */
export function hostIn(text: string): string | null {
  const address = /^https?:\/\//i.test(text) ? text : `http://${text}`
  return URL.canParse(address) ? new URL(address).host : null
}
