import { testMovedSeller } from '../../test/moving-seller.ts'

testMovedSeller({ customers: 2_000, installs: 3_000, subscriptions: 1_500 })
