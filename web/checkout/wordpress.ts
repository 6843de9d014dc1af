import { hostIn } from '../shared/web-address.ts'
import { flagOf, type WordPress } from './address.ts'
import { boughtIn, type Host } from './host.ts'
import type { Checkout, CheckoutResult, CheckoutServer, CheckoutSite, SiteOfCheckout } from './server.ts'

interface Sold {
  readonly host: Host
  readonly server: CheckoutServer
  readonly checkout: Checkout | null
  readonly result: CheckoutResult
}

/** What a site tells of itself in its opt-in form that the server takes. */
const TEXTS = [
  'site_uid',
  'site_url',
  'site_name',
  'language',
  'plugin_version',
  'sdk_version',
  'platform_version',
  'programming_language_version',
  'return_url',
] as const
const FLAGS = ['is_premium', 'is_active'] as const

/**
 * Connects the site whose dashboard led here with what was bought, and leads the buyer back: in a frame its dashboard is
 * told, else the browser is led to the address it gave. A site that is connected fetches its license itself. Throws
 * where the server does not put it on the site.
 */
export async function leadBack(site: WordPress, sold: Sold): Promise<void> {
  if (sold.host.frame?.mode === 'dashboard') await tellDashboard(site, sold)
  else if (site.returnUrl !== null) await goBack(site.returnUrl, site, sold)
}

async function tellDashboard(site: WordPress, sold: Sold): Promise<void> {
  const { host } = sold
  const { returnUrl, isConnected } = site
  const form = isConnected ? null : siteIn(await host.context())
  const connected = form && (await connect(sold, form))
  const asked = installing(site)
  if (connected?.action === 'install') host.tell('install', { ...keysOf(connected), ...asked })
  else if (connected?.action === 'pending_activation')
    host.tell('pending_activation', { ...mailedOf(connected), ...asked })
  else if (returnUrl !== null && host.mayForwardTo(returnUrl))
    host.tell('forward', { url: withMore(returnUrl, asked) })
}

/** The server says whether an address is one of the site: keys are in it. */
async function goBack(url: string, site: WordPress, sold: Sold): Promise<void> {
  const { isConnected, installData } = site
  const form = isConnected ? {} : siteIn(parsed(installData))
  if (form === null) return
  const connected = await connect(sold, { ...form, forward_url: url })
  const data = {
    purchaseData: boughtIn(sold.result),
    ...(connected.action === 'install' && keysOf(connected)),
    ...(connected.action === 'pending_activation' && mailedOf(connected)),
    ...installing(site),
  }
  const more = { _fs_checkout_action: connected.action, _fs_checkout_data: JSON.stringify(data) }
  location.replace(withMore(url, more))
}

/** What asks a dashboard to install the paid build. */
const installing = ({ isAutoInstall }: WordPress): { readonly auto_install?: true } =>
  isAutoInstall ? { auto_install: true } : {}

async function connect({ server, checkout }: Sold, form: CheckoutSite): Promise<SiteOfCheckout> {
  if (!checkout) throw new Error('What is paid has a checkout.')
  return server.connect(checkout.id, form)
}

const keysOf = ({ user, install }: SiteOfCheckout) => ({ user, install })

const mailedOf = ({ user_email, support_email_address }: SiteOfCheckout) => ({
  user_email,
  support_email_address,
})

/** The address as it is, as it holds a signature, with more in its query. */
function withMore(url: string, more: Readonly<Record<string, string | true>>): string {
  const [address = '', fragment] = url.split('#', 2)
  const added = new URLSearchParams(
    Object.entries(more).map(([name, value]) => [name, String(value)]),
  ).toString()
  const joined = added === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${added}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}

/** The host of the site that will be connected once it is paid; null: none will. */
export function siteToConnect({ isConnected, installData }: WordPress, { frame }: Host): string | null {
  if (isConnected) return null
  const url = frame?.mode === 'dashboard' ? frame.origin : (siteIn(parsed(installData))?.site_url ?? null)
  return url === null ? null : hostIn(url)
}

/** The form of a site; null: it is none. Who pays has not agreed to more than to be connected. */
function siteIn(told: unknown): CheckoutSite | null {
  if (typeof told !== 'object' || told === null) return null
  const values = told as Readonly<Record<string, unknown>>
  if (typeof values['site_uid'] !== 'string' || values['site_uid'] === '') return null
  return {
    ...Object.fromEntries(TEXTS.flatMap((name) => (textIn(values[name]) ? [[name, values[name]]] : []))),
    ...Object.fromEntries(FLAGS.map((name) => [name, flagOf(String(values[name] ?? '')) === true])),
    is_extensions_tracking_allowed: false,
    is_diagnostic_tracking_allowed: false,
  }
}

const textIn = (value: unknown): boolean => typeof value === 'string' && value !== ''

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
