import type { Config } from '../config.ts'
import { VERSION } from '../lib/version.ts'
import { dataPlace } from '../health/data-place.ts'
import { demoText, type DemoFields } from './demo-text.ts'
import { fields } from './text.ts'

export interface Greeting {
  readonly config: Config
  readonly address: string
  /** What links in mails begin with. */
  readonly baseUrl: string
  readonly isMock: boolean
  /** Null: nobody asked for one, or the database holds another seller's data. */
  readonly demo: DemoFields | null
  readonly wantsDemo: boolean
  readonly hasDeveloper: boolean
}

/** What a server says when it is up: where it is, where its data is, and what to do next. */
export function greetingText(greeting: Greeting): string {
  const { config, address, baseUrl } = greeting
  const links = baseUrl === address ? {} : { Links: `${baseUrl} (KEYWRIGHT_BASE_URL)` }
  const places = {
    API: `${address}/v1`,
    Docs: `${address}/docs`,
    Data: greeting.isMock ? 'forgotten at the end: this is a mock for testing clients' : dataPlace(config),
    ...links,
  }
  return `Keywright ${VERSION} is ready.\n\n${fields(places)}\n\n${nextSteps(greeting)}\n`
}

function nextSteps({ demo, wantsDemo, hasDeveloper, address }: Greeting): string {
  if (demo) return demoText(demo, address)
  const refused = wantsDemo ? 'No demo: the database holds the data of a seller already.\n' : ''
  if (hasDeveloper) return `${refused}Ctrl-C stops it.`
  return `Nobody sells here yet. In another terminal, with the same KEYWRIGHT_DATA or DATABASE_URL if you set one:
  npm run -s keywright -- bootstrap --email you@example.com
which prints an address that opens the dashboard, signed in; or start it with demo data:
  npm start -- --demo`
}
