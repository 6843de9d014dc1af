import { Button } from '@mantine/core'
import type { Bulk } from '../../../../src/lists/bulk/schema.ts'
import { numberText, State, Time, type Tone } from '../../format.tsx'
import { BulkUnderWay } from '../../lists/BulkUnderWay.tsx'
import { List } from '../../lists/List.tsx'
import { isAtWork } from '../../lists/under-way.ts'
import { useInAddress } from '../../in-address.ts'
import { usePlace } from '../../place.ts'
import { listTexts } from '../../texts/lists.ts'
import { texts } from '../../texts/texts.ts'

const TONES: Readonly<Record<Bulk['state'], Tone>> = {
  collecting: 'plain',
  running: 'warning',
  done: 'good',
  failed: 'bad',
}

/** What was done to many rows of the product at once, and what came of it. */
export function Bulks() {
  const { path } = usePlace()
  const [open, setOpen] = useInAddress('open')
  return (
    <>
      <List<Bulk>
        title={listTexts.bulks}
        about={listTexts.bulksAbout}
        path={`${path}/bulk.json`}
        items="bulks"
        goesOn={isAtWork}
        columns={[
          {
            label: listTexts.deed,
            show: ({ action, is_dry_run }) =>
              `${listTexts.actions[action]}${is_dry_run ? ` (${listTexts.dryRun})` : ''}`,
          },
          {
            label: texts.state,
            show: ({ state }) => <State word={listTexts.bulkStates[state]} tone={TONES[state]} />,
          },
          { label: listTexts.rows, show: ({ total }) => numberText(total), isNumber: true },
          { label: listTexts.refused, show: ({ failed }) => numberText(failed), isNumber: true },
          { label: listTexts.asked, show: ({ created }) => <Time time={created} /> },
        ]}
        rowActions={({ id }) => (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`${texts.details}: #${id}`}
            onClick={() => setOpen(id)}
          >
            {texts.details}
          </Button>
        )}
        making={{ body: { action: 'licenses/cancel', ids: '$LICENSES', dry_run: true } }}
        empty={[listTexts.noBulks, listTexts.noBulksMore]}
      />
      {open === '' ? null : <BulkUnderWay id={open} close={() => setOpen('')} />}
    </>
  )
}
