import { breakOffLicensing } from '../../test/licensing-crashes.ts'

breakOffLicensing('is cut')
