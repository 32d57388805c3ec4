-- However many messages come, a way that fails is tried after 1, 5 and then every 10 minutes: a notice
-- that seems lost may have arrived each time, and servers lock out who asks too often. A test that
-- arrives ends the wait.
create or replace function public.settle_notice(
  for_way text, of_batch uuid, outcome text, fault text default null, reply text default null
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_site();
  if (outcome in ('sent', 'retry', 'unknown', 'refused')) is not true then
    raise sqlstate 'PT400' using message = 'Unknown outcome';
  end if;
  update private.notice_ways w set
    sent_at = case outcome when 'sent' then now() else w.sent_at end,
    failed_at = case outcome when 'sent' then w.failed_at else now() end,
    fault = case outcome when 'sent' then null else settle_notice.fault end,
    reply = case outcome when 'sent' then null else left(settle_notice.reply, 300) end,
    next_at = case when outcome = 'sent' and w.fault is not null then now() else w.next_at end
  where w.way = for_way and (of_batch is null or w.batch = of_batch);
  if not found then
    return false;
  end if;
  if of_batch is not null then
    update private.notice_ways w set
      batch = case outcome when 'unknown' then w.batch end,
      taken_until = null,
      next_at = now() + case outcome when 'sent' then interval '10 minutes' else least(
        interval '10 minutes',
        (select private.notice_pause(max(n.attempts)) from private.notices n
          where n.way = for_way and n.batch = of_batch)
      ) end
    where w.way = for_way;
    delete from private.notices n where outcome = 'sent' and n.way = for_way and n.batch = of_batch;
    update private.notices n set due_at = null
    where outcome = 'refused' and n.way = for_way and n.batch = of_batch;
  end if;
  update private.notices n set due_at = least(n.due_at, now())
  where outcome = 'sent' and n.way = for_way and (n.due_at <= now()) is not true;
  return true;
end
$$;
