-- Sample messages for a local database of the Supabase CLI (`supabase db reset`).
insert into public.contact_messages (name, email, message) values
  ('نورة السالم', 'noura@example.com', E'السلام عليكم،\nأحتاج صفحة هبوط لمتجري قبل موسم الشتاء.'),
  ('Omar Haddad', 'omar@example.com', E'Hello,\nI need a landing page in Arabic and English.');
