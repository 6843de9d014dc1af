import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { setNonce } from 'get-nonce'
import { colours, theme } from './theme.ts'

/** The number that styles made by a script carry, without which the policy of the page refuses them. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
setNonce(nonce)

/** What all pages with a shell share: look, colours, and the right to make styles. */
export function Frame({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={colours}
      getStyleNonce={() => nonce}
      defaultColorScheme="auto"
    >
      {children}
    </MantineProvider>
  )
}
