import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Compile } from 'typebox/schema'

/** What PayPal describes of what is asked for, cut out of its own documents. */
const { schemas, issues } = JSON.parse(readFileSync(join(import.meta.dirname, 'described.json'), 'utf8')) as {
  readonly schemas: Readonly<Record<string, object>>
  readonly issues: Readonly<Record<'create' | 'capture' | 'patch' | 'refund', readonly string[]>>
}

const checks = new Map<string, ReturnType<typeof Compile>>()

/** What is wrong with a value as one of PayPal's schemas; null: nothing. */
export function wrongIn(schema: string, value: unknown): string | null {
  const described = schemas[schema]
  if (!described) throw new Error(`${schema} is not in described.json.`)
  const check = checks.get(schema) ?? Compile(described)
  checks.set(schema, check)
  if (check.Check(value)) return null
  const [, [first] = []] = check.Errors(value)
  return `${schema}${first?.instancePath ?? ''} ${first?.message ?? 'does not fit'}`
}

/** Whether PayPal describes that such a call is refused so. */
export const isIssue = (call: keyof typeof issues, issue: string): boolean => issues[call].includes(issue)
