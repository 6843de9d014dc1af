import { NativeSelect } from '@mantine/core'
import type { Developer } from '../../../../src/accounts/developers/schema.ts'
import { Refusal, useDoing } from '../../../ui/doing.tsx'
import { zonesBeginningWith } from '../../../ui/zones.ts'
import { keepChosen } from '../../chosen.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { browserZone, zone } from '../../zone.ts'

/** The language and the time zone that a person is shown the dashboard in, in every browser. */
export function Choices({ person }: { readonly person: Developer }) {
  const { accountPath } = usePlace()
  const doing = useDoing<Developer>((now) => {
    if (keepChosen(now)) location.reload()
  })
  const choose = (of: 'language' | 'zone') => ({
    value: person[of] ?? '',
    disabled: doing.isBusy,
    error: doing.faultOf(of),
    onChange: ({ target: { value } }: { readonly target: HTMLSelectElement }) =>
      doing.send({
        method: 'PUT',
        path: `${accountPath}/person.json`,
        body: { [of]: value === '' ? null : value },
      }),
  })
  return (
    <>
      <Refusal problem={doing.problem} fields={['language', 'zone']} />
      <NativeSelect
        label={texts.language}
        description={texts.languageMore}
        {...choose('language')}
        data={[
          { value: '', label: texts.asTheBrowser },
          { value: 'en', label: 'English' },
          { value: 'de', label: 'Deutsch' },
        ]}
      />
      <NativeSelect
        label={texts.timeZone}
        description={texts.timeZoneMore}
        {...choose('zone')}
        data={[
          { value: '', label: `${texts.asTheBrowser}: ${browserZone}` },
          ...zonesBeginningWith(person.zone ?? zone),
        ]}
      />
    </>
  )
}
