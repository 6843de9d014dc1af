import { GatewayRefused, GatewayUnreachable, type Gateway, type Reporting } from '../gateways/gateway.ts'
import { fail, ok, warn, type Finding } from './finding.ts'
import { failureLine } from './failure-line.ts'

interface Checked extends Pick<Gateway, 'code'> {
  readonly check: NonNullable<Gateway['check']>
}

/**
 * Whether each gateway that has credentials takes them, and reports here what is needed, asked of all at once.
 * `baseUrl` as in the configuration: without it any address that ends as ours is taken for it.
 */
export function checkCredentials(
  gateways: readonly Gateway[],
  baseUrl: string | null,
): Promise<readonly Finding[]> {
  const checked = gateways.flatMap(({ code, check }) => (check ? [{ code, check }] : []))
  return Promise.all(checked.map((gateway) => checkOne(gateway, baseUrl)))
}

async function checkOne({ code, check }: Checked, baseUrl: string | null): Promise<Finding> {
  const path = `/v1/gateways/${code}/webhook.json`
  const isOurs = (address: string) => (baseUrl === null ? address.endsWith(path) : address === baseUrl + path)
  try {
    return findingOf(code, await check(isOurs), (baseUrl ?? '…') + path)
  } catch (error) {
    if (error instanceof GatewayUnreachable)
      return warn(code, 'it does not answer', 'Look whether this machine reaches it; payments wait for it.')
    if (error instanceof GatewayRefused)
      return fail(
        code,
        `it refuses the credentials: ${failureLine(error.cause).message}`,
        'Set its keys (docs/gateways.md).',
      )
    return warn(code, failureLine(error).message, 'Run this again; the gateway may say more of it.')
  }
}

function findingOf(code: string, reporting: Reporting, address: string): Finding {
  const set = `Set its webhook to ${address} (docs/gateways.md).`
  switch (reporting.state) {
    case 'whole':
      return ok(code, 'it takes the credentials, and reports here')
    case 'unknown':
      return ok(code, 'it takes the credentials, which may not ask what it reports')
    case 'none':
      return fail(code, 'it takes the credentials, and reports nothing to this server', set)
    case 'elsewhere':
      return fail(code, `it takes the credentials, and reports to ${reporting.address}`, set)
    case 'in part':
      return fail(
        code,
        `it does not report ${reporting.missing.join(', ')}`,
        `Let its webhook report these too.`,
      )
  }
}
