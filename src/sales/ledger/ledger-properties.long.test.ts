import { proveLedger } from '../../../test/ledger-properties.ts'

proveLedger(1_000_000)
