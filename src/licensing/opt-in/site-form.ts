import { invalidFields } from '../../lib/errors.ts'
import type { Connection } from '../activation/pending-activations.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import type { OptIn, SiteForm } from './opt-in-schema.ts'

type Told = Omit<SiteForm, 'return_url'> & Partial<Pick<OptIn, 'sites' | 'trial_plan_id'>>

/** What is done for a person with the sites that a client tells of, and with a license, where it shows its key. */
export function connectionOf(
  input: Told,
  license: Pick<LicenseRow, 'id' | 'environment'> | null,
  keyedId: number | null,
): Connection {
  const { site_uid, site_url, site_name, language, sites: many = [] } = input
  const one = { uid: site_uid ?? '', url: site_url, title: site_name, language }
  const shared = {
    version: input.plugin_version,
    sdk_version: input.sdk_version,
    platform_version: input.platform_version,
    programming_language_version: input.programming_language_version,
    is_premium: input.is_premium,
    is_active: input.is_active,
    is_disconnected: input.is_disconnected,
    environment: license?.environment,
  }
  const sites = many.length > 0 ? many : [one]
  return {
    installs: sites.map(({ uid, url, title, language: spoken }) => {
      const told = { ...shared, url, title, language: spoken ?? language }
      const known = Object.entries(told).filter(([, value]) => value !== undefined)
      return { ...(Object.fromEntries(known) as Partial<Connection['installs'][number]>), uid }
    }),
    licenseId: license?.id ?? null,
    keyedId,
    trialPlanId: input.trial_plan_id ?? null,
    isMarketingAllowed: input.is_marketing_allowed ?? null,
    isExtensionsTrackingAllowed: input.is_extensions_tracking_allowed ?? null,
    isDiagnosticTrackingAllowed: input.is_diagnostic_tracking_allowed ?? null,
  }
}

/** 400 unless an address leads to the host of a site, with its port (`docs/decisions.md` 3.10). */
export function refuseElsewhere(
  field: string,
  to: string,
  site: string | null | undefined,
  ofSite = 'site_url',
): void {
  if (new URL(to).host === hostWithPort(site ?? '')) return
  throw invalidFields([{ field, message: `must lead to the host of ${ofSite}` }])
}

function hostWithPort(address: string): string | null {
  const url = /^https?:\/\//i.test(address) ? address : `http://${address}`
  return URL.canParse(url) ? new URL(url).host : null
}
