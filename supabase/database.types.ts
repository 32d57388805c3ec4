// Made by npm run types from supabase/migrations.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export interface Database {
  public: {
    Tables: {
      contact_messages: {
        Row: {
          created_at: string;
          email: string;
          id: string;
          message: string;
          name: string;
          spam_signs: string[] | null;
        };
        Insert: {
          created_at?: string;
          email: string;
          id?: string;
          message: string;
          name: string;
          spam_signs?: string[] | null;
        };
        Update: {
          created_at?: string;
          email?: string;
          id?: string;
          message?: string;
          name?: string;
          spam_signs?: string[] | null;
        };
        Relationships: [];
      };
    };
    Views: { [_ in never]: never };
    Functions: {
      claim_inbox: {
        Args: {
          code: string;
        };
        Returns: boolean;
      };
      count_recovery_codes: {
        Args: never;
        Returns: number;
      };
      device_proof: {
        Args: never;
        Returns: string | null;
      };
      end_session: {
        Args: {
          session_id: string;
        };
        Returns: boolean;
      };
      inbox_state: {
        Args: never;
        Returns: {
          owner: string;
          may_read: boolean;
          messages: number;
          spam: number;
        };
      };
      is_trusted_site: {
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
        }[];
      };
      new_claim_code: {
        Args: never;
        Returns: string | null;
      };
      read_inbox: {
        Args: {
          before_id?: string;
          before_moment?: string;
          in_spam?: boolean;
        };
        Returns: {
          owner: string;
          may_read: boolean;
          messages: number;
          spam: number;
          page: Json;
        };
      };
      renew_recovery_codes: {
        Args: never;
        Returns: string[];
      };
      reserve_inbox: {
        Args: {
          address: string;
        };
        Returns: boolean | null;
      };
      sweep_attempts: {
        Args: never;
        Returns: number;
      };
      take_attempt: {
        Args: {
          account: string;
          device?: string;
          kind: string;
        };
        Returns: number | null;
      };
      use_recovery_code: {
        Args: {
          code: string;
        };
        Returns: boolean;
      };
    };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
}
