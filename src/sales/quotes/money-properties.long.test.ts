import { proveMoney } from '../../../test/money-properties.ts'

proveMoney(1_000_000)
