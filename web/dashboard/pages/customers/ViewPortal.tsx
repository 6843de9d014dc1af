import { Allowed } from '../../Allowed.tsx'
import { Button } from '@mantine/core'
import { Refusal, useDoing } from '../../../ui/doing.tsx'
import { texts } from '../../texts/texts.ts'

/** Opens the portal as the customer sees it, where nothing can be changed. */
export function ViewPortal({ own }: { readonly own: string }) {
  const doing = useDoing<{ readonly link: string }>(({ link }) => location.assign(link))
  return (
    <>
      <Allowed group="customers">
        {(barred) => (
          <Button
            {...barred}
            variant="default"
            disabled={barred.disabled ?? doing.isBusy}
            onClick={() => doing.send({ method: 'POST', path: `${own}/portal/view.json` })}
          >
            {texts.viewPortal}
          </Button>
        )}
      </Allowed>
      <Refusal problem={doing.problem} />
    </>
  )
}
