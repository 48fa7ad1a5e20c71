<?php
/**
 * The widget.
 *
 * @package UbikChat
 */

namespace UbikChat;

use WP_Widget;

defined( 'ABSPATH' ) || exit;

/** A chat in a widget area of a classic theme. Block themes use the block. */
final class Widget extends WP_Widget {

	/** Id of the widget. WordPress stores its instances in the option `widget_ubik_chat`. */
	const ID = 'ubik_chat';

	/** Adds the widget. */
	public static function register() {
		add_action(
			'widgets_init',
			static function () {
				register_widget( self::class );
			}
		);
	}

	/** Describes the widget. */
	public function __construct() {
		parent::__construct(
			self::ID,
			__( 'UBIK Chat', 'ubik-chat' ),
			array(
				'description'           => __( 'A chat with an AI agent.', 'ubik-chat' ),
				'show_instance_in_rest' => true,
			)
		);
	}

	/**
	 * Renders the widget.
	 *
	 * @param array<string, string> $area     HTML of the theme around the widget and its title.
	 * @param array<string, string> $instance Settings of the widget.
	 */
	public function widget( $area, $instance ) {
		$instance = self::read( $instance );
		/** This filter is documented in wp-includes/widgets/class-wp-widget-pages.php */
		$title = apply_filters( 'widget_title', $instance['title'], $instance, $this->id_base ); // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- A hook of WordPress.
		echo wp_kses_post( $area['before_widget'] );
		if ( '' !== $title ) {
			echo wp_kses_post( $area['before_title'] ) . esc_html( $title ) . wp_kses_post( $area['after_title'] );
		}
		echo Place::render( $instance ); // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- Escaped by `Place`.
		echo wp_kses_post( $area['after_widget'] );
	}

	/**
	 * Renders the form of the settings.
	 *
	 * @param array<string, string> $instance Settings of the widget.
	 */
	public function form( $instance ) {
		$labels = array(
			'title'    => __( 'Title', 'ubik-chat' ),
			'height'   => __( 'Height, such as 30rem', 'ubik-chat' ),
			'greeting' => __( 'Greeting', 'ubik-chat' ),
		);
		foreach ( self::read( $instance ) as $name => $value ) {
			printf(
				'<p><label for="%1$s">%2$s</label><input class="widefat" type="text" id="%1$s" name="%3$s" value="%4$s" maxlength="%5$d"></p>',
				esc_attr( $this->get_field_id( $name ) ),
				esc_html( $labels[ $name ] ),
				esc_attr( $this->get_field_name( $name ) ),
				esc_attr( $value ),
				(int) Settings::MAX_TEXT
			);
		}
	}

	/**
	 * Validates the settings.
	 *
	 * @param array<string, string> $instance Untrusted.
	 * @param array<string, string> $previous Not used.
	 * @return array<string, string>
	 */
	public function update( $instance, $previous ) {
		return self::read( $instance );
	}

	/**
	 * Reads the settings of a widget; missing ones are empty.
	 *
	 * @param mixed $instance Untrusted.
	 * @return array<string, string>
	 */
	private static function read( $instance ) {
		$instance = wp_parse_args( is_array( $instance ) ? $instance : array(), array_fill_keys( array( 'title', 'height', 'greeting' ), '' ) );
		return array(
			'title'    => sanitize_text_field( $instance['title'] ),
			'height'   => Settings::length( $instance['height'] ),
			'greeting' => Settings::sanitize_lines( $instance['greeting'] ),
		);
	}
}
