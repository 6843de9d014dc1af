import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { setNonce } from 'get-nonce'
import { Told } from './Told.tsx'
import { styleNonce } from './nonce.ts'
import { colours, theme } from './theme.ts'

/** The number that styles made by a script carry, without which the policy of the page refuses them. */
setNonce(styleNonce)

/** What all pages with a shell share: look, colours, and the right to make styles. */
export function Frame({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={colours}
      getStyleNonce={() => styleNonce}
      defaultColorScheme="auto"
    >
      {children}
      <Told />
    </MantineProvider>
  )
}
