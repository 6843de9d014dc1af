import { NativeSelect } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { browserZone, chosenZone, chooseZone, ZONES } from '../../zone.ts'

/** The time zone that the dashboard tells times in, in this browser. */
export const TimeZone = () => (
  <NativeSelect
    label={texts.timeZone}
    description={texts.timeZoneMore}
    value={chosenZone ?? ''}
    onChange={({ target }) => chooseZone(target.value)}
    data={[{ value: '', label: `${texts.asTheBrowser}: ${browserZone}` }, ...ZONES]}
  />
)
