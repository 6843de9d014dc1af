import { Button } from '@mantine/core'
import type { Export } from '../../../../src/lists/exports/schema.ts'
import { fill } from '../../../shared/language.ts'
import { State, Time, numberText } from '../../format.tsx'
import { List } from '../../lists/List.tsx'
import { isUnderWay } from '../../lists/under-way.ts'
import { usePlace } from '../../place.ts'
import { listTexts } from '../../texts/lists.ts'
import { texts } from '../../texts/texts.ts'
import { wholeTexts } from '../../texts/whole.ts'
import { TONES } from './tones.ts'
import { ToWholeAccount } from './ToWholeAccount.tsx'

/** The exports that who is signed in has asked for: how far each is, and its file while that is there. */
export function Exports() {
  const { accountPath } = usePlace()
  return (
    <List<Export>
      title={texts.exports}
      about={listTexts.exportsAbout}
      create={<ToWholeAccount>{wholeTexts.export}</ToWholeAccount>}
      path={`${accountPath}/exports.json`}
      items="exports"
      goesOn={isUnderWay}
      columns={[
        { label: listTexts.list, show: ({ kind, format }) => `${listTexts.kinds[kind]} (${format})` },
        {
          label: texts.state,
          show: ({ state }) => <State word={listTexts.states[state]} tone={TONES[state]} />,
        },
        { label: listTexts.rows, show: ({ rows }) => numberText(rows), isNumber: true },
        { label: listTexts.asked, show: ({ created }) => <Time time={created} /> },
        { label: listTexts.until, show: ({ expires_at }) => <Time time={expires_at} /> },
      ]}
      rowActions={({ id, kind, state, url }) =>
        kind === 'account' && state === 'done' ? (
          <ToWholeAccount size="compact-sm" aria-label={fill(wholeTexts.openOf, { id })}>
            {wholeTexts.open}
          </ToWholeAccount>
        ) : url === null ? null : (
          <Button
            component="a"
            href={url}
            download
            variant="default"
            size="compact-sm"
            aria-label={`${listTexts.download}: ${listTexts.kinds[kind]} #${id}`}
          >
            {listTexts.download}
          </Button>
        )
      }
      making={{ body: { kind: 'licenses' } }}
      empty={[listTexts.noExports, listTexts.noExportsMore]}
    />
  )
}
