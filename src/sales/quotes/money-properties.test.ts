// Runs slowly.
import { proveMoney } from '../../../test/money-properties.ts'

proveMoney(20_000)
