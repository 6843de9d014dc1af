import type { Operation } from '../http/other-replies.ts'
import { serverOperations } from './routes.ts'

/**
 * How the server fares: what `keywright doctor` looks at, and the page of the dashboard that says it. Who asks is an
 * admin of an account; what is of all sellers is told where there is one.
 */
export const healthOperations: readonly Operation[] = serverOperations
