// Runs slowly.
import { breakOffLicensing } from '../../test/licensing-crashes.ts'

breakOffLicensing('fails')
