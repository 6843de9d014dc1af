import type { WordPress } from './address.ts'
import type { Bought, Host } from './host.ts'
import { parsed, siteIn } from './site.ts'
import type { Checkout, CheckoutServer, CheckoutSite, SiteOfCheckout } from './server.ts'

interface Sold {
  readonly host: Host
  readonly server: CheckoutServer
  readonly checkout: Checkout | null
  readonly bought: Bought
}

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
    purchaseData: sold.bought,
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
