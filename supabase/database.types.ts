// Made by npm run types from supabase/migrations.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export interface Database {
  public: {
    Tables: {
      contact_messages: {
        Row: {
          accepted_signs: string[] | null;
          answered_at: string | null;
          archived_at: string | null;
          created_at: string;
          deleted_at: string | null;
          email: string;
          expired_at: string | null;
          id: string;
          last_change: string | null;
          message: string;
          name: string;
          note: string | null;
          phone: string | null;
          restored_at: string | null;
          search_text: string;
          spam_at: string | null;
          spam_signs: string[] | null;
          state: string;
        };
        Insert: never;
        Update: never;
        Relationships: [];
      };
      inbox_deletions: {
        Row: { id: string; last_at: string; singleton: boolean };
        Insert: never;
        Update: never;
        Relationships: [];
      };
    };
    Views: { [_ in never]: never };
    Functions: {
      add_absence: {
        Args: { first_day: string; last_day: string };
        Returns: string | null;
      };
      begin_notification_test: {
        Args: { for_channel: string };
        Returns: string;
      };
      claim_inbox: {
        Args: { code: string };
        Returns: boolean;
      };
      empty_box: {
        Args: { box: string; until: string };
        Returns: number;
      };
      end_absence: {
        Args: { first_day: string; today: string };
        Returns: boolean;
      };
      inbox_state: {
        Args: never;
        Returns: {
          owner: string;
          may_read: boolean;
          messages: number;
          waiting: number;
          archived: number;
          spam: number;
          trash: number;
          seen_at: string | null;
          fresh: number;
        };
      };
      is_signed_in: {
        Args: never;
        Returns: boolean;
      };
      my_sessions: {
        Args: never;
        Returns: {
          id: string;
          created_at: string;
          last_used_at: string;
          user_agent: string | null;
          is_current: boolean;
          total: number;
        }[];
      };
      notification_state: {
        Args: never;
        Returns: {
          channel: string;
          sent_at: string | null;
          failed_at: string | null;
          fault: string | null;
          reply: string | null;
          stuck: number;
          next_at: string;
        }[];
      };
      read_counts: {
        Args: { since: string };
        Returns: { day: string; what: string; times: number }[];
      };
      read_inbox: {
        Args: {
          before_id?: string;
          before_moment?: string;
          box?: string;
          late_before?: string;
          most?: number;
          old_before?: string;
          open?: string;
          query?: string;
        };
        Returns: {
          owner: string;
          may_read: boolean;
          messages: number;
          waiting: number;
          archived: number;
          spam: number;
          trash: number;
          seen_at: string | null;
          fresh: number;
          page: Json;
          opened: Json | null;
          line: Json | null;
        };
      };
      record_visit: {
        Args: { until: string };
        Returns: string | null;
      };
      reset_counts: {
        Args: never;
        Returns: undefined;
      };
      save_note: {
        Args: { message: string; note?: string };
        Returns: boolean;
      };
      sort_box: {
        Args: { action: string; box: string; until: string };
        Returns: { changed: number; change: string | null };
      };
      sort_messages: {
        Args: { action: string; box?: string; ids: string[] };
        Returns: { changed: number; change: string | null };
      };
      switch_counting: {
        Args: { is_on: boolean };
        Returns: undefined;
      };
      undo_sort: {
        Args: { action: string; undone: string };
        Returns: { changed: number; change: string | null; one: string | null };
      };
    };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
}
