/** The number that the policy of the page allows styles by. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
