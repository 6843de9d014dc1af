import { dirname, relative, resolve, sep } from 'node:path'
import type { RuleTester } from 'oxlint/plugins-dev'

export type Rule = Parameters<RuleTester['run']>[1]
export type RuleContext = Parameters<Extract<Rule, { createOnce?: never }>['create']>[0]
export type Visitor = ReturnType<Extract<Rule, { createOnce?: never }>['create']>
