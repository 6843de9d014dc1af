import type { ImportSource } from '../../../../src/imports/asked/schema.ts'

interface Source {
  readonly name: ImportSource
  /** What is asked for: a file, the files of a platform, or the address of a server with keys. */
  readonly takes: 'file' | 'platform' | 'server'
  /** The name of a platform. */
  readonly title?: string
}

/** What may be brought in, in the order in which it is offered; the words of what is no platform stand among the texts. */
export const SOURCES: readonly Source[] = [
  { name: 'files', takes: 'file' },
  { name: 'server', takes: 'server' },
  { name: 'lemon-squeezy', takes: 'platform', title: 'Lemon Squeezy' },
  { name: 'edd', takes: 'platform', title: 'Easy Digital Downloads' },
  { name: 'woocommerce', takes: 'platform', title: 'WooCommerce' },
  { name: 'gumroad', takes: 'platform', title: 'Gumroad' },
  { name: 'keygen', takes: 'platform', title: 'Keygen' },
  { name: 'paddle', takes: 'platform', title: 'Paddle' },
  { name: 'polar', takes: 'platform', title: 'Polar' },
]
