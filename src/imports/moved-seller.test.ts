// Runs beside others, slowly.
import { testMovedSeller } from '../../test/moving-seller.ts'

testMovedSeller({ customers: 12, installs: 20, subscriptions: 9 })
