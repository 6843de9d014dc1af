import { accessText, dashboardText, type Access } from './access.ts'
import { fields } from './text.ts'

/** Access, with the id of one example of each kind. */
export type DemoFields = Access & Readonly<Record<string, string>>

export function demoText(access: DemoFields, address: string): string {
  const { developer_id, developer_public_key, developer_secret_key, ...rest } = access
  const { store_id, product_id, product_public_key, product_secret_key, api_token, ...more } = rest
  const { sign_in_link, ...examples } = more
  const own = { developer_id, developer_public_key, developer_secret_key, store_id }
  const product = { product_id, product_public_key, product_secret_key, api_token }
  const dashboard = sign_in_link === undefined ? '' : `${dashboardText(sign_in_link)}\n\n`
  return `${dashboard}The demo's keys and a fresh token. The token of an earlier run goes on only while its server runs.

${accessText({ ...own, ...product }, address)}

Also there:
${fields(examples)}`
}
