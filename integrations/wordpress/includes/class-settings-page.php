<?php
/**
 * The page of the settings.
 *
 * @package UbikChat
 */

namespace UbikChat;

defined( 'ABSPATH' ) || exit;

/** Settings → UBIK Chat, for administrators. */
final class Settings_Page {

	/** Slug of the page, and group of its options. */
	const SLUG = 'ubik-chat';

	/** Adds the page. */
	public static function register() {
		add_action( 'admin_init', array( self::class, 'register_settings' ) );
		add_action( 'admin_menu', array( self::class, 'add_page' ) );
		add_filter( 'plugin_action_links_' . plugin_basename( UBIK_CHAT_FILE ), array( self::class, 'add_link' ) );
	}

	/** Registers the options, which `options.php` checks (capability, nonce) and stores. */
	public static function register_settings() {
		register_setting(
			self::SLUG,
			Settings::OPTION,
			array(
				'type'              => 'object',
				'sanitize_callback' => array( self::class, 'sanitize_settings' ),
			)
		);
		register_setting(
			self::SLUG,
			Settings::KEY_OPTION,
			array(
				'type'              => 'string',
				'sanitize_callback' => array( self::class, 'sanitize_key' ),
			)
		);
		// Added without autoloading, so that the key is not loaded with every page.
		if ( false === get_option( Settings::KEY_OPTION ) ) {
			add_option( Settings::KEY_OPTION, '', '', false );
		}
		foreach ( self::sections() as $section => list( $title, $fields ) ) {
			add_settings_section( $section, $title, '__return_null', self::SLUG );
			foreach ( $fields as $name => $field ) {
				add_settings_field(
					$name,
					$field['label'],
					array( self::class, 'print_field' ),
					self::SLUG,
					$section,
					$field + array(
						'name'      => $name,
						'label_for' => self::id( $name ),
					)
				);
			}
		}
	}

	/** Adds the page to the menu. */
	public static function add_page() {
		$title = __( 'UBIK Chat', 'ubik-chat' );
		add_options_page( $title, $title, 'manage_options', self::SLUG, array( self::class, 'print_page' ) );
	}

	/**
	 * Adds a link to the list of plug-ins.
	 *
	 * @param string[] $links Links of the plug-in.
	 * @return string[]
	 */
	public static function add_link( $links ) {
		$url = admin_url( 'options-general.php?page=' . self::SLUG );
		return array_merge( array( sprintf( '<a href="%s">%s</a>', esc_url( $url ), esc_html__( 'Settings', 'ubik-chat' ) ) ), $links );
	}

	/**
	 * Validates the API key. The form never contains the key, so an empty field keeps the stored one; a `-` deletes it.
	 *
	 * @param mixed $value Untrusted.
	 * @return string
	 */
	public static function sanitize_key( $value ) {
		$value = is_string( $value ) ? trim( $value ) : '';
		if ( '-' === $value ) {
			return '';
		}
		return preg_match( '/^[\x21-\x7e]{1,500}$/', $value ) ? $value : (string) get_option( Settings::KEY_OPTION, '' );
	}

	/**
	 * Validates the settings of the form. While the address is fixed, keeps the stored one: its field is disabled, so the form lacks it. A stored
	 * address that is not used can be replaced by the default one, also by an empty field.
	 *
	 * @param array<string, mixed> $input Untrusted values by name.
	 * @return array<string, mixed> All settings.
	 */
	public static function sanitize_settings( $input ) {
		$stored   = get_option( Settings::OPTION, array() );
		$is_reset = '' !== Settings::unused_service()
			&& isset( $input['service_url'] )
			&& Settings::sanitize( $input )['service_url'] === Settings::defaults()['service_url'];
		if ( Settings::is_service_fixed() && is_array( $input ) && ! $is_reset ) {
			$input['service_url'] = is_array( $stored ) && isset( $stored['service_url'] ) ? $stored['service_url'] : '';
		}
		return Settings::sanitize( $input );
	}

	/** Prints the page. After the settings were saved, it also tells whether the service issues tokens. */
	public static function print_page() {
		if ( ! current_user_can( 'manage_options' ) ) {
			return;
		}
		echo '<div class="wrap"><h1>' . esc_html( get_admin_page_title() ) . '</h1>';
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only a notice depends on it.
		if ( isset( $_GET['settings-updated'] ) ) {
			self::print_connection();
		}
		echo '<form action="' . esc_url( admin_url( 'options.php' ) ) . '" method="post">';
		settings_fields( self::SLUG );
		do_settings_sections( self::SLUG );
		submit_button();
		echo '</form></div>';
	}

	/** Requests a token as a test and prints the result. */
	private static function print_connection() {
		$token = Service::request_token( Visitor::external_id() );
		$class = is_wp_error( $token ) ? 'notice-error' : 'notice-success';
		$text  = is_wp_error( $token ) ? $token->get_error_message() : __( 'The service accepts the API key.', 'ubik-chat' );
		printf( '<div class="notice %s" id="ubik-chat-connection"><p>%s</p></div>', esc_attr( $class ), esc_html( $text ) );
	}

	/**
	 * Prints a field.
	 *
	 * @param array<string, mixed> $field As in `sections()`, with its name.
	 */
	public static function print_field( $field ) {
		$is_key = 'api_key' === $field['name'];
		$value  = $is_key ? '' : ( $field['value'] ?? Settings::get( $field['name'] ) );
		$common = sprintf(
			'id="%s" name="%s"%s',
			esc_attr( self::id( $field['name'] ) ),
			esc_attr( $is_key ? Settings::KEY_OPTION : Settings::OPTION . '[' . $field['name'] . ']' ),
			disabled( ! empty( $field['is_fixed'] ), true, false )
		);
		// phpcs:disable WordPress.Security.EscapeOutput.OutputNotEscaped -- `$common` is escaped above.
		switch ( $field['type'] ) {
			case 'choice':
				echo "<select $common>";
				foreach ( $field['choices'] as $choice => $label ) {
					printf( '<option value="%s"%s>%s</option>', esc_attr( $choice ), selected( $choice, $value, false ), esc_html( $label ) );
				}
				echo '</select>';
				break;
			case 'lines':
				printf( '<textarea class="large-text" rows="4" maxlength="%d" %s>%s</textarea>', (int) Settings::MAX_TEXT, $common, esc_textarea( $value ) );
				break;
			case 'check':
				printf( '<input type="checkbox" value="1" %s%s>', $common, checked( $value, true, false ) );
				break;
			case 'key':
				printf( '<input type="password" class="regular-text" autocomplete="new-password" value="" %s>', $common );
				break;
			default:
				printf( '<input type="%s" class="regular-text" maxlength="%d" value="%s" %s>', esc_attr( $field['type'] ), (int) Settings::MAX_TEXT, esc_attr( $value ), $common );
		}
		// phpcs:enable
		if ( isset( $field['help'] ) ) {
			printf( '<p class="description">%s</p>', esc_html( $field['help'] ) );
		}
	}

	/**
	 * Id of a field.
	 *
	 * @param string $name Name of the setting.
	 * @return string
	 */
	private static function id( $name ) {
		return 'ubik-chat-' . str_replace( '_', '-', $name );
	}

	/**
	 * Sections and fields of the page: by the id of a section, its title and its fields.
	 *
	 * @return array<string, array{string, array<string, array<string, mixed>>}>
	 */
	private static function sections() {
		$is_key_fixed     = defined( 'UBIK_CHAT_API_KEY' );
		$unused_service   = Settings::unused_service();
		$is_service_fixed = Settings::is_service_fixed() && '' === $unused_service;
		$service_help     = $is_service_fixed
			? Settings::fixed_service_help()
			: __( 'Including the version, such as https://app.ubik-agent.com/api/v1', 'ubik-chat' );
		if ( '' !== $unused_service ) {
			$service_help = Settings::unused_service_help();
		}
		$key_help         = $is_key_fixed
			? __( 'The key is set in wp-config.php.', 'ubik-chat' )
			/* translators: UBIK_CHAT_API_KEY and UBIK_CHAT_SERVICE_URL are the names of constants. */
			: __( 'Leave it empty to keep the stored key; enter - to delete it. It is safer in wp-config.php, as UBIK_CHAT_API_KEY, with the address as UBIK_CHAT_SERVICE_URL.', 'ubik-chat' );
		$colour_help      = __( 'Such as #0a7d55. Empty for the colour of the theme.', 'ubik-chat' );
		return array(
			'service'    => array(
				__( 'Service', 'ubik-chat' ),
				array(
					'service_url' => array(
						'label'    => __( 'Address of the service', 'ubik-chat' ),
						'type'     => 'url',
						'is_fixed' => $is_service_fixed,
						'value'    => '' === $unused_service ? null : $unused_service,
						'help'     => $service_help,
					),
					'api_key'     => array(
						'label'    => __( 'API key', 'ubik-chat' ),
						'type'     => 'key',
						'is_fixed' => $is_key_fixed,
						'help'     => $key_help,
					),
					'agent_id'    => array(
						'label' => __( 'Agent', 'ubik-chat' ),
						'type'  => 'text',
						'help'  => __( 'Id of the agent, for a service with several agents.', 'ubik-chat' ),
					),
				),
			),
			'visitors'   => array(
				__( 'Visitors', 'ubik-chat' ),
				array(
					'guests'       => array(
						'label' => __( 'Guests may chat', 'ubik-chat' ),
						'type'  => 'check',
						'help'  => __( 'Otherwise visitors have to sign in first. Guests are recognised by a cookie.', 'ubik-chat' ),
					),
					'sign_in_text' => array(
						'label' => __( 'Text for guests who have to sign in', 'ubik-chat' ),
						'type'  => 'text',
					),
					'rate_limit'   => array(
						'label' => __( 'Tokens per hour', 'ubik-chat' ),
						'type'  => 'number',
						'help'  => __( 'For each user, and for all guests with the same address. Each page view in which the chat is used takes one.', 'ubik-chat' ),
					),
				),
			),
			'site_chat'  => array(
				__( 'Chat on every page', 'ubik-chat' ),
				array(
					'placement'   => array(
						'label'   => __( 'Show the chat', 'ubik-chat' ),
						'type'    => 'choice',
						'choices' => array(
							'none'     => __( 'Only where a block, shortcode or widget is', 'ubik-chat' ),
							'all'      => __( 'On all pages', 'ubik-chat' ),
							'selected' => __( 'On the pages below', 'ubik-chat' ),
						),
					),
					'pages'       => array(
						'label' => __( 'Pages', 'ubik-chat' ),
						'type'  => 'lines',
						'help'  => __( 'One path or id on each line, such as /support/* or 42', 'ubik-chat' ),
					),
					'site_layout' => array(
						'label'   => __( 'Layout', 'ubik-chat' ),
						'type'    => 'choice',
						'choices' => array(
							'bubble' => __( 'Button and window', 'ubik-chat' ),
							'panel'  => __( 'Panel at the side', 'ubik-chat' ),
						),
					),
					'label'       => array(
						'label' => __( 'Name of the button', 'ubik-chat' ),
						'type'  => 'text',
					),
				),
			),
			'appearance' => array(
				__( 'Texts and colours', 'ubik-chat' ),
				array(
					'greeting'   => array(
						'label' => __( 'Greeting', 'ubik-chat' ),
						'type'  => 'lines',
						'help'  => __( 'Shown in an empty conversation. May contain Markdown.', 'ubik-chat' ),
					),
					'starters'   => array(
						'label' => __( 'Suggested questions', 'ubik-chat' ),
						'type'  => 'lines',
						'help'  => __( 'One on each line, at most four.', 'ubik-chat' ),
					),
					'theme'      => array(
						'label'   => __( 'Colour scheme', 'ubik-chat' ),
						'type'    => 'choice',
						'choices' => array(
							''      => __( 'As the page', 'ubik-chat' ),
							'light' => __( 'Light', 'ubik-chat' ),
							'dark'  => __( 'Dark', 'ubik-chat' ),
							'auto'  => __( 'As the system of the visitor', 'ubik-chat' ),
						),
					),
					'accent'     => array(
						'label' => __( 'Accent colour', 'ubik-chat' ),
						'type'  => 'text',
						'help'  => $colour_help,
					),
					'text'       => array(
						'label' => __( 'Text colour', 'ubik-chat' ),
						'type'  => 'text',
						'help'  => $colour_help,
					),
					'background' => array(
						'label' => __( 'Background colour', 'ubik-chat' ),
						'type'  => 'text',
						'help'  => $colour_help,
					),
				),
			),
		);
	}
}
